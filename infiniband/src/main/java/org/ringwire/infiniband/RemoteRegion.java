package org.ringwire.infiniband;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Memory of another node. Bounds and permissions are checked here, against the descriptor, before
 * anything is sent, and there by the owner's device. Any thread may call any method.
 *
 * <p><b>Buffers.</b> The memory given to an operation belongs to it until it ends: until the method
 * returns or throws, or until the stage ends, however that is. Native memory of more than 4 KiB is
 * used where it lies, and stays registered for the next time, as {@link RemoteMemory#prepare} says;
 * if it is not to be freed soon, use the same again. Memory on the heap, and what is short, is
 * copied; but native memory that only one thread may access is used where it lies, however short it
 * is. Asynchronous operations take memory that any thread may access, or native memory that is not
 * freed before they end.
 *
 * <p><b>Order.</b> An operation that has ended has taken effect before one that begins then. Those
 * that are under way at the same time take effect in any order, and writes of more than eight bytes
 * piece by piece. Atomics are atomic with respect to each other.
 *
 * <p><b>Failures</b> are {@link RemoteMemoryException}s; where the arguments are wrong they are
 * thrown at once, also by asynchronous operations, and so may be those of an operation that cannot
 * begin: no memory can be locked for it, or this end was closed. The time of a blocking operation
 * includes connecting; when it is over the queue pair is given up, and other operations on the same
 * node that are under way end as {@link RemoteMemoryException.Reason#UNCERTAIN}; the next one
 * connects anew. The same goes for an interrupt, which throws a {@link
 * org.ringwire.WaitInterruptedException} and leaves the status of the thread set. Asynchronous
 * operations have no time limit; they end at the latest when connecting has taken {@link
 * RemoteMemoryConfig#connectTimeout}, or the device has given the owner up (some seconds); but what
 * notifies waits, with all that was begun after it, for as long as the owner's {@link
 * MemoryListener}s do not take what they were told before. Dependents of stages run on virtual
 * threads, or, if none is to be had for seconds, on a thread that the remote memory has.
 */
public interface RemoteRegion {

  /** What it was opened with. */
  MemoryDescriptor descriptor();

  /** Its bytes. */
  default long length() {
    return descriptor().length();
  }

  /**
   * Reads.
   *
   * @param offset in the region
   * @param into is filled, all of it; may be empty
   * @throws IndexOutOfBoundsException if that is not in the region; nothing was sent
   */
  void read(long offset, MemorySegment into, Duration timeout);

  /** As {@link #read}, without waiting. */
  CompletionStage<Void> readAsync(long offset, MemorySegment into);

  /**
   * Writes. When this returns the bytes are in the owner's memory.
   *
   * @param offset in the region
   * @param from all of it; may be empty
   * @throws IndexOutOfBoundsException if that is not in the region; nothing was sent
   */
  void write(long offset, MemorySegment from, Duration timeout);

  /** As {@link #write}, without waiting. */
  CompletionStage<Void> writeAsync(long offset, MemorySegment from);

  /**
   * Writes, and tells the owner's {@link MemoryListener}, which finds there what was written by
   * this and by all that was begun before it. The bytes arrive as one write however many there are,
   * without a receive request of their length and without a copy.
   *
   * @param offset in the region
   * @param from all of it; not empty
   * @param tag for the listener, 0 to 65535
   * @throws IllegalArgumentException if nobody listens
   */
  void writeAndNotify(long offset, MemorySegment from, int tag, Duration timeout);

  /** As {@link #writeAndNotify}, without waiting. */
  CompletionStage<Void> writeAndNotifyAsync(long offset, MemorySegment from, int tag);

  /**
   * Adds to the eight bytes at an offset, a number in the byte order of the owner's processor.
   *
   * @param offset in the region, such that the address is divisible by 8
   * @return what was there before
   */
  long fetchAndAdd(long offset, long delta, Duration timeout);

  /** As {@link #fetchAndAdd}, without waiting. */
  CompletionStage<Long> fetchAndAddAsync(long offset, long delta);

  /**
   * Puts a number into the eight bytes at an offset, if an expected one is there.
   *
   * @param offset in the region, such that the address is divisible by 8
   * @return what was there before: it was replaced if that is the expected one
   */
  long compareAndSwap(long offset, long expected, long value, Duration timeout);

  /** As {@link #compareAndSwap}, without waiting. */
  CompletionStage<Long> compareAndSwapAsync(long offset, long expected, long value);
}
