package org.ringwire.tools.bench.check;

/** What the benchmarks send: which message it is, whose, and some content. */
public interface Numbered {

  /** 0, 1, 2 ... per sender. */
  long sequence();

  /** Index of the sending thread. */
  int sender();

  /** The content, {@link Content} of that sender. */
  byte[] content();
}
