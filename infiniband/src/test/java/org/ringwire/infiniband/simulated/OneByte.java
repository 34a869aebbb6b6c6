package org.ringwire.infiniband.simulated;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;

/** A byte to be sent, which lies in no ring. */
public final class OneByte implements OutboundSource {
  private final MemorySegment memory = Arena.global().allocate(1);
  private long sent;

  /** How many bytes were taken. */
  public long sent() {
    return sent;
  }

  @Override
  public long next(OutboundRanges ranges) {
    if (sent == 0) {
      ranges.add(memory, memory.asByteBuffer(), 0, 1);
    }
    return ranges.bytes();
  }

  @Override
  public void sent(long bytes) {
    sent += bytes;
  }

  @Override
  public void completed(long bytes) {}
}
