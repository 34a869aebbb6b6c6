package org.ringwire.transport.shm;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;

/** Offers one range, and counts. */
final class RangeSource implements OutboundSource {

  private MemorySegment memory = MemorySegment.NULL;
  private long left;
  private final AtomicLong completed = new AtomicLong();
  private int alone;

  void offer(MemorySegment from, long length) {
    memory = from;
    left = length;
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
      ranges.add(memory, memory.asByteBuffer(), 0, left);
    }
    return left;
  }

  @Override
  public void sent(long bytes) {
    left -= bytes;
  }

  @Override
  public void completed(long bytes) {
    completed.addAndGet(bytes);
  }

  @Override
  public void sentAndCompleted(long bytes) {
    alone++;
    OutboundSource.super.sentAndCompleted(bytes);
  }
}
