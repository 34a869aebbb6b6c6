package org.ringwire.infiniband.datagram;

/**
 * What is sent as one datagram, again and again if need be, until it is acknowledged. Used again
 * for later ones. What its content is knows the subclass.
 */
public abstract class Segment {

  static final int FREE = 0;
  static final int IN_FLIGHT = 1;
  static final int LOST = 2;
  static final int DELIVERED = 3;

  int state = FREE;
  int kind;
  long number;

  /** Of its last transmission, among all transmissions of the link. */
  long order;

  /** Of its last transmission. */
  long sentNs;

  boolean again;

  /** Nothing yet. */
  protected Segment() {}

  /** Bytes of its content. */
  public abstract int length();

  /** One of the kinds of {@link Datagram} with a number. */
  public final int kind() {
    return kind;
  }
}
