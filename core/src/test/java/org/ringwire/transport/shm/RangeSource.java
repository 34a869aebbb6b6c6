package org.ringwire.transport.shm;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;

/** Offers one range, and counts. */
final class RangeSource implements OutboundSource {

  private MemorySegment memory = MemorySegment.NULL;
  private long start;
  private long left;
  private Runnable beforeCompletion = () -> {};
  private final AtomicLong completed = new AtomicLong();
  private int alone;

  void offer(MemorySegment from, long length) {
    offer(from, 0, length);
  }

  void offer(MemorySegment from, long offset, long length) {
    memory = from;
    start = offset;
    left = length;
  }

  /** What is done before bytes count as completed. */
  void beforeCompletion(Runnable action) {
    beforeCompletion = action;
  }

  /** Bytes that were not sent. */
  long left() {
    return left;
  }

  /** Bytes that were completed. */
  long completed() {
    return completed.get();
  }

  /** Times that nobody else could complete. */
  int alone() {
    return alone;
  }

  @Override
  public long next(OutboundRanges ranges) {
    ranges.clear();
    if (left > 0) {
      ranges.add(memory, memory.asByteBuffer(), start, left);
    }
    return left;
  }

  @Override
  public void sent(long bytes) {
    start += bytes;
    left -= bytes;
  }

  @Override
  public void completed(long bytes) {
    beforeCompletion.run();
    completed.addAndGet(bytes);
  }

  @Override
  public void sentAndCompleted(long bytes) {
    alone++;
    OutboundSource.super.sentAndCompleted(bytes);
  }
}
