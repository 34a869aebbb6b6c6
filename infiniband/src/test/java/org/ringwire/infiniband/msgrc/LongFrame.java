package org.ringwire.infiniband.msgrc;

import java.lang.foreign.MemorySegment;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;

/** One long frame: what some memory begins with. */
final class LongFrame implements OutboundSource {
  private final MemorySegment memory;
  private final long length;
  private long sent;

  LongFrame(MemorySegment memory, long length) {
    this.memory = memory;
    this.length = length;
  }

  @Override
  public long next(OutboundRanges ranges) {
    if (sent < length) {
      ranges.add(memory, memory.asByteBuffer(), sent, length - sent);
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
