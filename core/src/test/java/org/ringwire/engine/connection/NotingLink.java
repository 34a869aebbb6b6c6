package org.ringwire.engine.connection;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.wire.FrameLayout;

/**
 * Takes all that is to be sent.
 *
 * @param kinds of the frames that it has taken, in order
 */
record NotingLink(List<Integer> kinds) implements Link {

  @Override
  public boolean write(OutboundSource source) {
    OutboundRanges ranges = new OutboundRanges(4);
    for (long bytes = source.next(ranges); bytes > 0; bytes = source.next(ranges)) {
      for (int index = 0; index < ranges.count(); index++) {
        note(ranges.segment(index), ranges.offset(index), ranges.length(index));
      }
      source.sentAndCompleted(bytes);
    }
    return true;
  }

  private void note(MemorySegment memory, long offset, long length) {
    for (long at = offset; at < offset + length; ) {
      long header = FrameLayout.readHeader(memory, at);
      kinds.add(FrameLayout.kind(header));
      at += FrameLayout.occupied(FrameLayout.length(header));
    }
  }

  @Override
  public void close() {}

  @Override
  public String remote() {
    return "peer:1";
  }
}
