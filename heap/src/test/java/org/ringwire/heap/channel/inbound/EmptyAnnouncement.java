package org.ringwire.heap.channel.inbound;

import org.ringwire.heap.BlockCarrier;

/** Tells nobody anything, as nobody writes. */
final class EmptyAnnouncement implements BlockCarrier.Announcement {
  @Override
  public byte[] descriptor() {
    return new byte[0];
  }

  @Override
  public void close() {}
}
