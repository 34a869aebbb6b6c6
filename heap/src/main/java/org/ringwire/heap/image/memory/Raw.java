package org.ringwire.heap.image.memory;

import java.lang.foreign.MemorySegment;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;

/**
 * Access to memory by address, and to fields by offset. Whoever uses it has looked at bounds and
 * types before; headers and references are never written as numbers.
 */
public final class Raw {
  /** What the JVM itself uses. */
  public static final Unsafe UNSAFE = Unsafe.getUnsafe();

  /** Up to here the copies below beat the routine of the JVM. */
  public static final long SMALL = 64;

  /** Has all bits of lengths up to there. */
  public static final int SMALL_MASK = 127;

  private static final long REFERENCES = UNSAFE.arrayBaseOffset(Object[].class);
  private static final long REFERENCE_BYTES = UNSAFE.arrayIndexScale(Object[].class);

  private Raw() {}

  /** A new object, of which no constructor runs. */
  public static Object allocate(Class<?> type) {
    try {
      return UNSAFE.allocateInstance(type);
    } catch (InstantiationException | LinkageError e) {
      throw new DecodingException("no instance can be made: class=" + type.getName(), e);
    }
  }

  /** Stores an element that is known to fit. */
  public static void putElement(@Nullable Object[] array, int index, @Nullable Object element) {
    UNSAFE.putReference(array, REFERENCES + index * REFERENCE_BYTES, element);
  }

  /** The offset of a field of a class of the platform. */
  public static long offsetOf(Class<?> owner, String field) {
    return UNSAFE.objectFieldOffset(owner, field);
  }

  /**
   * Copies up to {@link #SMALL} bytes to memory, by words that overlap: neither a loop, whose
   * set-up would cost more than its work, nor a call.
   *
   * @param o an array, typed so that the compiler of the JVM treats this as raw access
   * @param from an offset in it
   */
  public static void copyOutSmall(Object o, long from, long to, long bytes) {
    long end = from + bytes;
    long toEnd = to + bytes;
    if (bytes >= Long.BYTES) {
      if (bytes > 2 * Long.BYTES) {
        copyOutMiddle(o, from, to, bytes);
      }
      UNSAFE.putLong(to, UNSAFE.getLong(o, from));
      UNSAFE.putLong(toEnd - Long.BYTES, UNSAFE.getLong(o, end - Long.BYTES));
    } else if (bytes >= Integer.BYTES) {
      UNSAFE.putInt(to, UNSAFE.getInt(o, from));
      UNSAFE.putInt(toEnd - Integer.BYTES, UNSAFE.getInt(o, end - Integer.BYTES));
    } else if (bytes >= Short.BYTES) {
      UNSAFE.putShort(to, UNSAFE.getShort(o, from));
      UNSAFE.putShort(toEnd - Short.BYTES, UNSAFE.getShort(o, end - Short.BYTES));
    } else if (bytes == 1) {
      UNSAFE.putByte(to, UNSAFE.getByte(o, from));
    }
  }

  /** Of more than 16 bytes those between the first and the last 8, and maybe some of these. */
  private static void copyOutMiddle(Object o, long from, long to, long bytes) {
    long last = bytes - 2 * Long.BYTES;
    for (long at = Long.BYTES; at < last; at += Long.BYTES) {
      UNSAFE.putLong(to + at, UNSAFE.getLong(o, from + at));
    }
    UNSAFE.putLong(to + last, UNSAFE.getLong(o, from + last));
  }

  /** As {@link #copyOutSmall}, the other way. */
  public static void copyInSmall(long from, Object o, long to, long bytes) {
    long end = from + bytes;
    long toEnd = to + bytes;
    if (bytes >= Long.BYTES) {
      if (bytes > 2 * Long.BYTES) {
        copyInMiddle(from, o, to, bytes);
      }
      UNSAFE.putLong(o, to, UNSAFE.getLong(from));
      UNSAFE.putLong(o, toEnd - Long.BYTES, UNSAFE.getLong(end - Long.BYTES));
    } else if (bytes >= Integer.BYTES) {
      UNSAFE.putInt(o, to, UNSAFE.getInt(from));
      UNSAFE.putInt(o, toEnd - Integer.BYTES, UNSAFE.getInt(end - Integer.BYTES));
    } else if (bytes >= Short.BYTES) {
      UNSAFE.putShort(o, to, UNSAFE.getShort(from));
      UNSAFE.putShort(o, toEnd - Short.BYTES, UNSAFE.getShort(end - Short.BYTES));
    } else if (bytes == 1) {
      UNSAFE.putByte(o, to, UNSAFE.getByte(from));
    }
  }

  private static void copyInMiddle(long from, Object o, long to, long bytes) {
    long last = bytes - 2 * Long.BYTES;
    for (long at = Long.BYTES; at < last; at += Long.BYTES) {
      UNSAFE.putLong(o, to + at, UNSAFE.getLong(from + at));
    }
    UNSAFE.putLong(o, to + last, UNSAFE.getLong(from + last));
  }

  /** An array of numbers as a segment; null for any other object, and for booleans. */
  public static @Nullable MemorySegment segmentOf(Object array) {
    return switch (array) {
      case byte[] bytes -> MemorySegment.ofArray(bytes);
      case char[] chars -> MemorySegment.ofArray(chars);
      case short[] shorts -> MemorySegment.ofArray(shorts);
      case int[] ints -> MemorySegment.ofArray(ints);
      case long[] longs -> MemorySegment.ofArray(longs);
      case float[] floats -> MemorySegment.ofArray(floats);
      case double[] doubles -> MemorySegment.ofArray(doubles);
      default -> null;
    };
  }

  /** Copies a whole array of bytes to memory. */
  public static void copyOut(byte[] source, long to) {
    copyOut(source, source.length, to);
  }

  /** Copies the first bytes of an array to memory. */
  public static void copyOut(byte[] source, int bytes, long to) {
    UNSAFE.copyMemory(source, Unsafe.ARRAY_BYTE_BASE_OFFSET, null, to, bytes);
  }

  /** Fills a whole array of bytes from memory. */
  public static void copyIn(long from, byte[] target) {
    UNSAFE.copyMemory(null, from, target, Unsafe.ARRAY_BYTE_BASE_OFFSET, target.length);
  }

  /** Whether memory holds the same bytes as an array. */
  public static boolean isEqual(long address, byte[] bytes) {
    int at = 0;
    Object array = bytes;
    for (; at <= bytes.length - Long.BYTES; at += Long.BYTES) {
      long offset = Unsafe.ARRAY_BYTE_BASE_OFFSET + (long) at;
      if (UNSAFE.getLong(array, offset) != UNSAFE.getLong(address + at)) {
        return false;
      }
    }
    for (; at < bytes.length; at++) {
      if (bytes[at] != UNSAFE.getByte(address + at)) {
        return false;
      }
    }
    return true;
  }
}
