package org.ringwire.heap.channel.inbound;

import org.ringwire.heap.channel.ChannelMessages;
import org.ringwire.heap.channel.ChannelMessages.Block;

/**
 * The window of an {@link Inbox}: how many bytes may wait in it, and how many do. What arrives in
 * messages is copied into memory of its own; segments that a sender writes into are counted here,
 * and belong to {@link CarriedInbox}. Guarded by the lock of the inbox.
 *
 * <p>What is granted to a stream is where it is, and what is free. So all that senders do within
 * what they were granted has room, and what goes beyond can be seen before it is stored.
 */
final class ReceiveWindow {
  private final long length;
  private final InboxLock lock;
  private final GraphMemory memory;
  private long occupied;

  /**
   * An empty one.
   *
   * @param length in bytes
   * @param lock retires segments of which nothing is left to be read
   * @param chunks memory for what waits
   */
  ReceiveWindow(long length, InboxLock lock, ChunkPool chunks) {
    this.length = length;
    this.lock = lock;
    this.memory = new GraphMemory(chunks);
  }

  /** How many bytes may wait. */
  long length() {
    return length;
  }

  /** Bytes that are free. */
  long room() {
    return length - occupied;
  }

  /** How far a stream may go. */
  long granted(InStream in) {
    return in.received + length - occupied;
  }

  /** Of a segment, from when it is announced. */
  void occupy(long bytes) {
    occupied += bytes;
  }

  /** Of a segment that belongs to nobody any more. */
  void vacate(long bytes) {
    occupied -= bytes;
  }

  /**
   * Copies a block in.
   *
   * @param charge what it takes of the window, for which there is room
   * @throws InternalError if its sender has taken its memory away; then nothing was put in
   */
  Piece store(Block block, long charge) {
    Piece piece = memory.add(block.head(), block.body());
    occupied += charge;
    return piece;
  }

  /** Nobody reads what waits any more, and nothing comes. */
  void close() {
    memory.leave();
  }

  /** Nobody reads a piece any more. */
  void free(Piece piece) {
    switch (piece.home()) {
      case GraphMemory.Chunk chunk -> {
        occupied -= ChannelMessages.charge(piece.bytes().byteSize());
        memory.release(chunk);
      }
      case ReceiveSegment segment -> {
        if (--segment.unread == 0 && segment.isFinal) {
          lock.retire(segment);
        }
      }
    }
  }
}
