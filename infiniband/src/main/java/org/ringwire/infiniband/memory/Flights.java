package org.ringwire.infiniband.memory;

import org.jspecify.annotations.Nullable;

/**
 * The requests of a queue pair that are not completed, in the order of posting: of which operation
 * each is, and which piece. Numbers only grow. Guarded by the lock of the {@link Initiator}.
 */
final class Flights {

  /** In place of a chunk: the piece lies where the user has it. */
  static final int NO_CHUNK = -1;

  private final int depth;
  private final int mask;
  private final @Nullable Operation[] operations;
  private final long[] offsets;
  private final int[] lengths;
  private final int[] chunks;
  private long first;
  private long next;

  Flights(int depth) {
    this.depth = depth;
    int capacity = Integer.highestOneBit(Math.max(1, 2 * depth - 1));
    mask = capacity - 1;
    operations = new Operation[capacity];
    offsets = new long[capacity];
    lengths = new int[capacity];
    chunks = new int[capacity];
  }

  boolean isEmpty() {
    return first == next;
  }

  boolean isFull() {
    return next - first == depth;
  }

  /** Number of the oldest. */
  long first() {
    return first;
  }

  /** Number of the one that is added next. */
  long next() {
    return next;
  }

  void add(Operation operation, int length, int chunk) {
    int slot = (int) next & mask;
    operations[slot] = operation;
    offsets[slot] = operation.posted();
    lengths[slot] = length;
    chunks[slot] = chunk;
    next++;
  }

  /** The full number of one that is not completed, or -1. */
  long find(int lowBits) {
    long ahead = Integer.toUnsignedLong(lowBits - (int) first);
    return ahead < next - first ? first + ahead : -1;
  }

  Operation operation(long number) {
    Operation operation = operations[(int) number & mask];
    if (operation == null) {
      throw new IllegalStateException("no such request: number=" + number);
    }
    return operation;
  }

  long offset(long number) {
    return offsets[(int) number & mask];
  }

  int length(long number) {
    return lengths[(int) number & mask];
  }

  int chunk(long number) {
    return chunks[(int) number & mask];
  }

  /** The oldest is done with. */
  void removeFirst() {
    operations[(int) first & mask] = null;
    first++;
  }

  /** The youngest is done with. */
  void removeLast() {
    next--;
    operations[(int) next & mask] = null;
  }
}
