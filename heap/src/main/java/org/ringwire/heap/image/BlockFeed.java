package org.ringwire.heap.image;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.memory.OwnMemory;

/**
 * The blocks of one streamed image as a decoder wants them: in place, one after the other. Only
 * what goes beyond the end of a block, which senders avoid, is put together in memory of its own.
 */
final class BlockFeed {
  private static final long FIRST_ROOM = 4096;

  private final BlockSource source;
  private long left;
  private long limit;

  /** What was asked for before its time. */
  private @Nullable MemorySegment ahead;

  /** What is put together. */
  private OwnMemory own = OwnMemory.NONE;

  BlockFeed(BlockSource source, long most) {
    this.source = source;
    this.left = most;
  }

  /** How many bytes may come at most behind {@link #limit}. */
  long left() {
    return left;
  }

  /** Where that what is here ends. */
  long limit() {
    return limit;
  }

  /** Whether there are bytes behind {@link #limit}; waits to know it. */
  boolean hasMore() {
    if (ahead == null) {
      ahead = source.next();
    }
    return ahead != null;
  }

  /**
   * Goes on, at least until so many bytes are here in one piece.
   *
   * @param position the first byte that is needed
   * @param end behind the last byte that was here
   * @param bytes more than are between the two
   * @return the address of the first byte now; {@link #limit} has the end
   */
  long advance(long position, long end, long bytes) {
    if (position == end) {
      MemorySegment block = take(bytes);
      if (block.byteSize() >= bytes) {
        limit = block.address() + block.byteSize();
        return block.address();
      }
      return assemble(room(FIRST_ROOM, 0, 0), 0, block, bytes);
    }
    long rest = end - position;
    OwnMemory room = room(Math.max(FIRST_ROOM, rest), position, rest);
    return assemble(room, rest, null, bytes);
  }

  private long assemble(OwnMemory room, long rest, @Nullable MemorySegment first, long bytes) {
    OwnMemory target = room;
    long filled = rest;
    MemorySegment block = first;
    while (filled < bytes) {
      if (block == null) {
        block = take(bytes - filled);
      }
      long length = block.byteSize();
      if (filled + length > target.byteSize()) {
        target = room(Math.max(2 * target.byteSize(), filled + length), target.address(), filled);
      }
      UNSAFE.copyMemory(block.address(), target.address() + filled, length);
      filled += length;
      block = null;
    }
    limit = target.address() + filled;
    return target.address();
  }

  /** Memory of its own with some bytes in front; they may be in what was there before. */
  private OwnMemory room(long size, long from, long bytes) {
    OwnMemory before = own;
    OwnMemory target = before.byteSize() >= size ? before : OwnMemory.forImage(size);
    try {
      if (bytes > 0) {
        UNSAFE.copyMemory(from, target.address(), bytes); // may overlap
      }
      own = target;
    } finally {
      Reference.reachabilityFence(before);
    }
    return target;
  }

  private MemorySegment take(long bytes) {
    MemorySegment block = ahead != null ? ahead : source.next();
    ahead = null;
    if (block == null) {
      throw new DecodingException("the image ends too early: expected=" + bytes + " left=0");
    }
    left -= block.byteSize();
    if (left < 0) {
      throw new DecodingException("the image is too long for the limit of bytes");
    }
    return block;
  }
}
