package org.ringwire.infiniband.datagram;

import org.jspecify.annotations.Nullable;

/** Where datagrams leave a link. They may be lost from here on. */
public interface DatagramPort<S extends Segment> {

  /** Whether it takes another one now. */
  boolean hasRoom();

  /**
   * Sends one, if it has room.
   *
   * @param head is the caller's again after the call
   * @param segment with the content; null for none, and for an acknowledgement
   */
  void send(Datagram head, @Nullable S segment);
}
