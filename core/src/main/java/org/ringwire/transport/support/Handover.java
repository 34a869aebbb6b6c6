package org.ringwire.transport.support;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.ringwire.transport.LinkHandler;

/** How a transport hands over what lies in memory. */
public final class Handover {

  private Handover() {}

  /**
   * Hands bytes over in place, but for those of a long frame, which go to where it is put together.
   */
  public static void deliver(LinkHandler receiver, MemorySegment memory, long offset, long length) {
    long at = offset;
    long end = offset + length;
    while (at < end) {
      ByteBuffer destination = receiver.destination();
      if (destination == null) {
        receiver.received(memory, at, end - at);
        return;
      }
      int part = (int) Math.min(destination.remaining(), end - at);
      int position = destination.position();
      MemorySegment.copy(memory, at, MemorySegment.ofBuffer(destination), 0, part);
      destination.position(position + part);
      receiver.receivedInDestination(part);
      at += part;
    }
  }
}
