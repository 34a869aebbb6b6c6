package org.ringwire.infiniband.datagram;

/** Numbers that only grow, of which the wire carries the lower 32 bits. */
final class Sequence {

  private Sequence() {}

  /** The number with these lower bits that is nearest to another. */
  static long expand(int low, long near) {
    return near + (low - (int) near);
  }
}
