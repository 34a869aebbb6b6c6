package org.ringwire.transport.selector;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.idle.WaitingPlace;

/**
 * What the leaders of a transport share: a limited number of seats, and read buffers, which a
 * leader borrows while it leads. Any thread; no locks.
 */
public final class LeaderResources implements AutoCloseable {

  /** Seats, each of which has two file descriptors; links beyond that are not led. */
  private static final int MAX_SEATS = 1024;

  /** Buffers kept for the next leader. */
  private static final int SPARE_BUFFERS = 16;

  private final IdleStrategy idleStrategy;
  private final int bufferLength;
  private final IntFunction<ReadBuffer> memory;
  private final @Nullable ReadBuffer empty; // for all, where nobody reads into it
  private final AtomicInteger seats = new AtomicInteger();
  private final AtomicReferenceArray<ReadBuffer> spares = new AtomicReferenceArray<>(SPARE_BUFFERS);
  private volatile boolean closed;

  /**
   * Without any buffers yet.
   *
   * @param bufferLength bytes of a read buffer; 0 where input lies in memory already
   */
  public LeaderResources(IdleStrategy idleStrategy, int bufferLength) {
    this(idleStrategy, bufferLength, ReadBuffer::new);
  }

  /** With memory from elsewhere. */
  public LeaderResources(
      IdleStrategy idleStrategy, int bufferLength, IntFunction<ReadBuffer> memory) {
    this.memory = memory;
    this.idleStrategy = idleStrategy;
    this.bufferLength = bufferLength;
    empty = bufferLength == 0 ? new ReadBuffer(0) : null;
  }

  /** How leaders of a link wait. */
  WaitingPlace newPlace() {
    return WaitingPlace.of(idleStrategy);
  }

  /** Whether there is a seat left, which is taken then. */
  boolean takeSeat() {
    if (seats.incrementAndGet() <= MAX_SEATS) {
      return true;
    }
    seats.decrementAndGet();
    return false;
  }

  /** Gives a seat back. */
  void giveSeat() {
    seats.decrementAndGet();
  }

  /** A buffer, to be given back; null if there is no memory for it: the I/O threads have theirs. */
  @Nullable ReadBuffer takeBuffer() {
    if (empty != null) {
      return empty;
    }
    for (int i = 0; i < SPARE_BUFFERS; i++) {
      if (spares.getPlain(i) != null) {
        ReadBuffer spare = spares.getAndSet(i, null);
        if (spare != null) {
          return spare;
        }
      }
    }
    try {
      return memory.apply(bufferLength);
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  /** Takes a buffer back. */
  void giveBuffer(ReadBuffer buffer) {
    if (empty != null) {
      return;
    }
    for (int i = 0; i < SPARE_BUFFERS; i++) {
      if (spares.getPlain(i) == null && spares.compareAndSet(i, null, buffer)) {
        if (closed) {
          closeSpares(); // close() may have passed this place before
        }
        return;
      }
    }
    buffer.close();
  }

  /** Frees the buffers, those lent included once they are back. */
  @Override
  public void close() {
    closed = true;
    if (empty != null) {
      empty.close();
    }
    closeSpares();
  }

  private void closeSpares() {
    for (int i = 0; i < SPARE_BUFFERS; i++) {
      ReadBuffer spare = spares.getAndSet(i, null);
      if (spare != null) {
        spare.close();
      }
    }
  }
}
