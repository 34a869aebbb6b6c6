package org.ringwire.heap.channel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Where things are in a block that is written into announced memory: a head, then a part of the
 * image, little-endian. Blocks follow each other from the start of a segment, at multiples of
 * {@link #UNIT}, and the notice of each says at which. A segment is <em>final</em> when less than
 * {@link #LEAST_ROOM} is left behind a block: both sides know that, and nobody says it.
 */
public final class CarriedBlock {
  /** Blocks begin at multiples of it. */
  public static final long UNIT = 64;

  /** Bytes of a head. */
  public static final long HEAD = 24;

  /** Less is not used. */
  public static final long LEAST_ROOM = 256;

  /** Such that 16 bits count units. */
  public static final long LONGEST_SEGMENT = UNIT << Short.SIZE;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long GRAPH = 0;
  private static final long INDEX = 8;
  private static final long FLAGS = 12;
  private static final long LENGTH = 16;

  private CarriedBlock() {}

  /** Writes a head. */
  public static void write(MemorySegment block, BlockFront front, long length) {
    block.set(LONG, GRAPH, front.graph());
    block.set(INT, INDEX, front.index());
    block.set(INT, FLAGS, front.flags());
    block.set(LONG, LENGTH, length);
  }

  /** What a head says; its writer may be changing it. */
  public static BlockFront front(MemorySegment segment, long at) {
    return new BlockFront(
        segment.get(LONG, at + GRAPH), segment.get(INT, at + INDEX), segment.get(INT, at + FLAGS));
  }

  /** Bytes behind the head, as it says; its writer may be changing it. */
  public static long length(MemorySegment segment, long at) {
    return segment.get(LONG, at + LENGTH);
  }

  /** The next position where a block may begin. */
  public static long aligned(long at) {
    return (at + UNIT - 1) & -UNIT;
  }

  /** Where the next block begins. */
  public static long end(long at, long length) {
    return aligned(at + HEAD + length);
  }

  /** What the notice of a block says. */
  public static int tag(long at) {
    return (int) (at / UNIT);
  }
}
