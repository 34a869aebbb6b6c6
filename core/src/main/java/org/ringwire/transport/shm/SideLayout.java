package org.ringwire.transport.shm;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * What is where in the file that each side of a link writes and the other one only reads.
 *
 * <p>Words that are written by different threads lie 128 bytes apart, two cache lines. All words
 * are little-endian and aligned, so that each is written and read whole.
 */
final class SideLayout {

  /** Words of the file. */
  static final VarHandle WORD =
      ValueLayout.JAVA_LONG
          .withOrder(ByteOrder.LITTLE_ENDIAN)
          .varHandle()
          .withInvokeExactBehavior();

  /** Descriptors of the peer that the owner is done with; only grows. */
  static final long CONSUMED = 128;

  /** Odd while the owner waits for the peer to consume; grows with every change. */
  static final long STALL = 256;

  /**
   * Odd while the owner's reader sleeps; grows with every change. The peer reads it after each
   * write, so it shares its line with nothing that changes while both sides are awake.
   */
  static final long SLEEP = 384;

  /** Where the descriptors begin, of which number n is in slot n modulo SLOTS. */
  static final long DESCRIPTORS = 4096;

  /** Descriptors that may be under way; a power of two. */
  static final int SLOTS = 256;

  /**
   * Two words, and bytes: little that is written at a time comes with the word that tells of it.
   */
  private static final int DESCRIPTOR_LENGTH = 128;

  private static final int WITHIN = 2 * Long.BYTES;

  /** Bytes that a descriptor may have within itself. */
  static final int WITHIN_LENGTH = DESCRIPTOR_LENGTH - WITHIN;

  /** Those of them that are in the cache line of the first word. */
  static final int WITHIN_FIRST_LINE = 64 - WITHIN;

  private static final int SLOTS_SHIFT = Integer.numberOfTrailingZeros(SLOTS);
  private static final int KIND_SHIFT = Integer.SIZE;
  private static final int KIND_MASK = 0xFF;
  private static final int LAP_SHIFT = KIND_SHIFT + Byte.SIZE;
  private static final long LAP_MASK = -1L >>> LAP_SHIFT;

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

  /** Kind of a descriptor: bytes within itself. */
  static final int WITHIN_ITSELF = 3;

  private SideLayout() {}

  /** Where a descriptor is. */
  static long descriptor(long number) {
    return DESCRIPTORS + (number & SLOTS - 1) * DESCRIPTOR_LENGTH;
  }

  /** Where the bytes are that a descriptor has within itself. */
  static long within(long number) {
    return descriptor(number) + WITHIN;
  }

  /**
   * First word of a descriptor. It says of which lap over the slots it is, so that whoever looks at
   * a slot sees whether it is the one that is due, or the one before in that place.
   */
  static long word(long number, int kind, long length) {
    return lap(number) << LAP_SHIFT | (long) kind << KIND_SHIFT | length;
  }

  /** The first lap is 1, since memory begins as zeros; after 2^24 laps they begin with 0. */
  private static long lap(long number) {
    return (number >>> SLOTS_SHIFT) + 1 & LAP_MASK;
  }

  /** Whether this is the first word of the descriptor with this number. */
  static boolean isOf(long word, long number) {
    return word >>> LAP_SHIFT == lap(number);
  }

  /** Kind in the first word of a descriptor. */
  static int kind(long word) {
    return (int) (word >>> KIND_SHIFT) & KIND_MASK;
  }

  /** Length in the first word of a descriptor, in bytes. */
  static long length(long word) {
    return Integer.toUnsignedLong((int) word);
  }
}
