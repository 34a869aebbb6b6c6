package org.ringwire.tools.bench.pair;

import org.ringwire.tools.bench.check.Numbered;

/** The message of the benchmarks with a codec written by hand; reused from message to message. */
public final class Payload implements Numbered {

  private static final byte[] NONE = new byte[0];

  public long sequence;
  public int sender;
  public byte[] content = NONE;

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
