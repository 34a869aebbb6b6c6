package org.ringwire.infiniband.msgrc;

/**
 * The 32 bits of immediate data that each request carries: the number that the receiver has given
 * to the link, in the upper half, and what kind of request it is. So the receiver finds the link
 * without a look into the data, and what has no data needs no memory (Ibdxnet paper, section IV-B).
 */
final class Immediate {

  /** Bytes of the stream. */
  static final int DATA = 0;

  /** The opener's end is ready; nothing comes before it. */
  static final int READY = 1;

  /** The end of the stream: all that comes before it was delivered, and nothing follows. */
  static final int FAREWELL = 2;

  private static final int KIND_BITS = 16;
  private static final int KIND_MASK = (1 << KIND_BITS) - 1;

  private Immediate() {}

  /** The data for a request. */
  static int of(int linkNumber, int kind) {
    return linkNumber << KIND_BITS | kind;
  }

  /** The receiver's number of the link. */
  static int linkNumber(int immediate) {
    return immediate >>> KIND_BITS;
  }

  /** What the request is. */
  static int kind(int immediate) {
    return immediate & KIND_MASK;
  }
}
