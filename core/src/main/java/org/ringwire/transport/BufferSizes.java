package org.ringwire.transport;

/**
 * Sizes of a connection that a medium does best with; they are used where a configuration gives
 * none, and have the bounds that they have there.
 *
 * @param ringCapacity bytes of the send ring
 * @param maxWindow bytes that the window of a busy connection grows to
 */
public record BufferSizes(int ringCapacity, int maxWindow) {

  /**
   * Of a medium that copies what is sent, such as a socket: what waits in a longer ring leaves the
   * cache before it is copied, and a longer ring is slower.
   */
  public static final BufferSizes STANDARD = new BufferSizes(1 << 20, 2 << 20);
}
