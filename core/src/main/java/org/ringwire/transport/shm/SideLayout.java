package org.ringwire.transport.shm;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * What is where in the file that each side of a link writes and the other one only reads.
 *
 * <p>Words that are written at different times lie 128 bytes apart, two cache lines. All words are
 * little-endian and aligned, so that each is written and read whole.
 */
final class SideLayout {

  /** Words of the file. */
  static final VarHandle WORD =
      ValueLayout.JAVA_LONG
          .withOrder(ByteOrder.LITTLE_ENDIAN)
          .varHandle()
          .withInvokeExactBehavior();

  /** Descriptors that the owner has published; only grows. */
  static final long PUBLISHED = 128;

  /** Descriptors of the peer that the owner is done with; only grows. */
  static final long CONSUMED = 256;

  /** Odd while the owner's reader sleeps; grows with every change. */
  static final long SLEEP = 384;

  /** Odd while the owner waits for the peer to consume; grows with every change. */
  static final long STALL = 512;

  /** Where the descriptors begin: two words each, of which number n is in slot n modulo SLOTS. */
  static final long DESCRIPTORS = 4096;

  /** Descriptors that may be under way; a power of two. */
  static final int SLOTS = 512;

  private static final int DESCRIPTOR_LENGTH = 2 * Long.BYTES;

  /** Where bytes are that are not in a ring. */
  static final long COPIES = DESCRIPTORS + (long) SLOTS * DESCRIPTOR_LENGTH;

  /** Bytes for them; a power of two. */
  static final int COPIES_LENGTH = 64 << 10;

  /** Length of the file in bytes. */
  static final long LENGTH = COPIES + COPIES_LENGTH;

  /** Kind of a descriptor: bytes among the {@link #COPIES}. */
  static final int COPIED = 0;

  /** Kind of a descriptor: bytes in the owner's ring. */
  static final int IN_RING = 1;

  /**
   * Kind of a descriptor: among the copies is the name of the file that is the ring from now on.
   */
  static final int NEW_RING = 2;

  private SideLayout() {}

  /** Where a descriptor is. */
  static long descriptor(long number) {
    return DESCRIPTORS + (number & SLOTS - 1) * DESCRIPTOR_LENGTH;
  }

  /** First word of a descriptor. */
  static long word(int kind, long length) {
    return (long) kind << Integer.SIZE | length;
  }

  /** Kind in the first word of a descriptor. */
  static int kind(long word) {
    return (int) (word >>> Integer.SIZE);
  }

  /** Length in the first word of a descriptor, in bytes. */
  static long length(long word) {
    return Integer.toUnsignedLong((int) word);
  }
}
