package org.ringwire.tools.bench.pair;

import org.ringwire.tools.bench.check.Numbered;

/** The message of the benchmarks with a codec written by hand; reused from message to message. */
final class Payload implements Numbered {

  private static final byte[] NONE = new byte[0];

  long sequence;
  int sender;
  byte[] content = NONE;

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public int sender() {
    return sender;
  }

  @Override
  public byte[] content() {
    return content;
  }
}
