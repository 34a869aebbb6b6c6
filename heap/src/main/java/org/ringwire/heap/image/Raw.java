package org.ringwire.heap.image;

import jdk.internal.misc.Unsafe;

/**
 * Access to memory by address, and to fields by offset. Whoever uses it has looked at bounds and
 * types before; headers and references are never written as numbers.
 */
final class Raw {
  static final Unsafe UNSAFE = Unsafe.getUnsafe();

  private Raw() {}

  /** The offset of a field of a class of the platform. */
  static long offsetOf(Class<?> owner, String field) {
    return UNSAFE.objectFieldOffset(owner, field);
  }

  /** Copies a whole array of bytes to memory. */
  static void copyOut(byte[] source, long to) {
    UNSAFE.copyMemory(source, Unsafe.ARRAY_BYTE_BASE_OFFSET, null, to, source.length);
  }

  /** Fills a whole array of bytes from memory. */
  static void copyIn(long from, byte[] target) {
    UNSAFE.copyMemory(null, from, target, Unsafe.ARRAY_BYTE_BASE_OFFSET, target.length);
  }

  /** Whether memory holds the same bytes as an array. */
  static boolean isEqual(long address, byte[] bytes) {
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
