package org.ringwire.heap.image.memory;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.ringwire.EncodingException;
import org.ringwire.MemoryLimitException;

/**
 * Native memory that is used by address and that the collector frees with this object, so whoever
 * uses the address keeps the object {@linkplain Reference#reachabilityFence reachable}. For one
 * thread at a time.
 *
 * <p>A buffer as long as one can be that large, and a segment only when somebody asks for it: the
 * first segment of a JVM costs as much as everything else that the first graph needs, and those who
 * encode into arrays need none.
 */
public final class OwnMemory {
  /** No memory at all. */
  public static final OwnMemory NONE = new OwnMemory();

  private static final int MOST_IN_ARRAY = Integer.MAX_VALUE - 8;
  private static final long ADDRESS = Raw.offsetOf(Buffer.class, "address");

  private final @Nullable ByteBuffer buffer;
  private final long address;
  private final long byteSize;
  private @Nullable MemorySegment segment;

  private OwnMemory() {
    this.buffer = null;
    this.address = 0;
    this.byteSize = 0;
  }

  /**
   * Allocates memory, which is zero.
   *
   * @param bytes 1 or more
   * @throws OutOfMemoryError if there is not as much, or the JVM may not have as much
   */
  public OwnMemory(long bytes) {
    if (bytes <= Integer.MAX_VALUE) {
      ByteBuffer memory = ByteBuffer.allocateDirect((int) bytes);
      this.buffer = memory;
      this.address = UNSAFE.getLong(memory, ADDRESS);
    } else {
      MemorySegment memory = Arena.ofAuto().allocate(bytes, Long.BYTES);
      this.buffer = null;
      this.segment = memory;
      this.address = memory.address();
    }
    this.byteSize = bytes;
  }

  /**
   * As the constructor, for an image that there may be no memory for, which is no reason to give up
   * more than that.
   *
   * @throws MemoryLimitException if there is not as much, or the JVM may not have as much
   */
  public static OwnMemory forImage(long bytes) {
    try {
      return new OwnMemory(bytes);
    } catch (OutOfMemoryError e) {
      MemoryLimitException refusal =
          new MemoryLimitException(
              "no native memory for an image, which -XX:MaxDirectMemorySize bounds (if it is not"
                  + " given, as -Xmx): bytes="
                  + bytes
                  + ": "
                  + e.getMessage());
      refusal.initCause(e);
      throw refusal;
    }
  }

  /** Where it begins. */
  public long address() {
    return address;
  }

  /** How many bytes it has. */
  public long byteSize() {
    return byteSize;
  }

  /**
   * A copy of the first bytes.
   *
   * @throws EncodingException if there are more than an array can have
   */
  public byte[] toArray(long bytes) {
    if (bytes > MOST_IN_ARRAY) {
      throw new EncodingException(
          "the image is too long for an array, encode it into memory: length=" + bytes);
    }
    byte[] array = new byte[(int) bytes];
    Raw.copyIn(address, array);
    return array;
  }

  /** All of it; who has it keeps the memory. */
  public MemorySegment segment() {
    MemorySegment all = segment;
    if (all == null) {
      all = buffer == null ? MemorySegment.NULL : MemorySegment.ofBuffer(buffer);
      segment = all;
    }
    return all;
  }
}
