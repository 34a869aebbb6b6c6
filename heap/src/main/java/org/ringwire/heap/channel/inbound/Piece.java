package org.ringwire.heap.channel.inbound;

import java.lang.foreign.MemorySegment;

/**
 * The bytes of a block that waits to be read.
 *
 * @param bytes valid until {@link Inbox#release}
 * @param home where they lie
 */
record Piece(MemorySegment bytes, Home home) {

  /** Memory of an {@link Inbox}. */
  sealed interface Home permits GraphMemory.Chunk, ReceiveSegment {}
}
