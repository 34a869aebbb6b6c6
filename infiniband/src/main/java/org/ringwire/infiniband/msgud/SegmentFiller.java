package org.ringwire.infiniband.msgud;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.device.RingRegions;
import org.ringwire.infiniband.device.StagingPool;
import org.ringwire.transport.OutboundRanges;

/**
 * Cuts what a link offers into segments. A segment that lies in a registered ring is named where it
 * is; one of which any byte does not is copied, all of it. One thread at a time.
 */
final class SegmentFiller {

  private final RingRegions.Lookup rings;
  private OutboundRanges offer = new OutboundRanges(0);
  private StagingPool.@Nullable Share chunks; // of who has made the offer
  private int index;
  private long offset; // in the range with that index
  private RingRegions.@Nullable Ring ring; // the one that was found last

  SegmentFiller(RingRegions.Lookup rings) {
    this.rings = rings;
  }

  /**
   * Begins with an offer.
   *
   * @param share where what has to be copied is copied to
   */
  void begin(OutboundRanges ranges, StagingPool.Share share) {
    offer = ranges;
    chunks = share;
    index = 0;
    offset = 0;
  }

  /** Forgets the offer. */
  void end() {
    offer = new OutboundRanges(0);
    chunks = null;
  }

  /** Whether something is left. */
  boolean hasMore() {
    return index < offer.count();
  }

  /**
   * Fills a segment with what comes next.
   *
   * @param most bytes
   * @return false if it had to be copied, and there is no memory for that
   */
  boolean fill(UdSegment segment, int most) {
    segment.clear();
    int at = index;
    long from = offset;
    while (at < offer.count() && segment.length() < most && !segment.isFull()) {
      RingRegions.Ring registered = find(offer.segment(at));
      if (registered == null) {
        return copy(segment, most);
      }
      int part = (int) Math.min(offer.length(at) - from, most - segment.length());
      long address = offer.segment(at).address() + offer.offset(at) + from;
      segment.add(address, part, registered.key());
      from += part;
      if (from == offer.length(at)) {
        at++;
        from = 0;
      }
    }
    index = at;
    offset = from;
    return true;
  }

  private RingRegions.@Nullable Ring find(MemorySegment memory) {
    RingRegions.Ring last = ring;
    if (last == null || !last.is(memory)) {
      last = rings.find(memory);
      ring = last;
    }
    return last;
  }

  private boolean copy(UdSegment segment, int most) {
    StagingPool.Share share = chunks;
    StagingPool.Chunk chunk = share == null ? null : share.take();
    if (chunk == null) {
      segment.clear();
      return false;
    }
    long address = chunk.address();
    int length = 0;
    boolean whole = false;
    try {
      while (index < offer.count() && length < most) {
        int part = (int) Math.min(offer.length(index) - offset, most - length);
        chunk.append(offer.segment(index), offer.offset(index) + offset, part);
        length += part;
        offset += part;
        if (offset == offer.length(index)) {
          index++;
          offset = 0;
        }
      }
      whole = true;
    } finally {
      if (!whole) { // memory that is gone, for instance
        chunk.release();
      }
    }
    segment.copied(address, length, chunk);
    return true;
  }
}
