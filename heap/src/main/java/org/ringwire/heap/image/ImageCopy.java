package org.ringwire.heap.image;

import java.lang.foreign.MemorySegment;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.memory.LostMemory;
import org.ringwire.heap.image.memory.OwnMemory;
import org.ringwire.heap.image.memory.Raw;

/**
 * Copies an image that cannot be read where it is, because others may free or move it, into memory
 * that is kept for the next one. The header comes first: nothing is allocated for a length that is
 * not there or not allowed. For one thread at a time, which uses the memory by its address until it
 * calls {@link #release}: until then nobody frees it.
 */
final class ImageCopy {
  private static final int FIRST_ROOM = 16 * 1024;
  private static final long KEPT_ROOM = 16L << 20;

  private OwnMemory memory = OwnMemory.NONE; // many decoders never need any

  /**
   * Copies the image at the start of a piece of memory.
   *
   * @return its length
   * @throws DecodingException if it is no image, or longer than is allowed
   * @throws InternalError if its owner has taken the memory away
   */
  long take(MemorySegment image, Limits limits) {
    long available = image.byteSize();
    ImageHeader.require(available);
    require(FIRST_ROOM);
    MemorySegment.copy(image, 0, memory.segment(), 0, ImageHeader.HEADER_LENGTH);
    long length = ImageHeader.length(memory.address(), available, limits);
    require(length);
    MemorySegment.copy(image, 0, memory.segment(), 0, length);
    LostMemory.check(); // a decoder that is told in the middle of something is of no use any more
    return length;
  }

  /** The same of an array, for which no segment is needed. */
  long take(byte[] image, Limits limits) {
    ImageHeader.require(image.length);
    require(FIRST_ROOM);
    Raw.copyOut(image, ImageHeader.HEADER_LENGTH, memory.address());
    long length = ImageHeader.length(memory.address(), image.length, limits);
    require(length);
    Raw.copyOut(image, (int) length, memory.address());
    return length;
  }

  private void require(long bytes) {
    memory = memory.byteSize() < bytes ? OwnMemory.forImage(bytes) : memory;
  }

  /** Where the copy begins. */
  long address() {
    return memory.address();
  }

  /** Nobody needs the copy any more. */
  void release() {
    memory = memory.byteSize() > KEPT_ROOM ? OwnMemory.NONE : memory;
  }

  /** Bytes beyond what every image needs. */
  long spareBytes() {
    return Math.max(0, memory.byteSize() - FIRST_ROOM);
  }

  /** Frees all of it. */
  void trim() {
    memory = OwnMemory.NONE;
  }
}
