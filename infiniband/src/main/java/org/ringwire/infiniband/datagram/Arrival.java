package org.ringwire.infiniband.datagram;

/** Where a datagram with a number stands in the stream. */
public enum Arrival {
  /** It is the next one. */
  NEXT,
  /** Something before it has not arrived. */
  AHEAD,
  /** It has arrived before. */
  DUPLICATE,
  /** So far ahead that nobody may have sent it. */
  BEYOND
}
