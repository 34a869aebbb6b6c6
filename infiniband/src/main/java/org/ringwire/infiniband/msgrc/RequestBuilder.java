package org.ringwire.infiniband.msgrc;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.device.RingRegions;
import org.ringwire.infiniband.device.StagingPool;
import org.ringwire.infiniband.verbs.SendRequests;
import org.ringwire.infiniband.verbs.types.SendFlags;
import org.ringwire.infiniband.verbs.types.SendOpcode;
import org.ringwire.transport.OutboundRanges;

/**
 * Makes a chain of send requests of what a link offers. What lies in a ring is named where it is,
 * with a range for each piece; everything else is copied, into the request if all of an offer is
 * short, else into a chunk of registered memory. A request is as long as the peer's receive
 * requests at most. The writer of a link only.
 */
final class RequestBuilder {

  private final SendRequests requests;
  private final SendSlots slots;
  private final RingRegions.Lookup rings;
  private final StagingPool.Share smallChunks;
  private final StagingPool.Share largeChunks;
  private final int mostRanges;
  private final int mostInline;
  private final int signalEvery;
  private final long idBase;
  private final int immediate;
  private final int longest;

  private RingRegions.@Nullable Ring ring; // the one that was found last

  // Of the chain.
  private int mostRequests;
  private boolean copiesOnly;
  private boolean lacksChunk;

  // Of the request that is open.
  private boolean open;
  private int bytes;
  private int ranges;
  private StagingPool.@Nullable Chunk chunk;
  private long stagedFrom;
  private int staged; // bytes at the end that are in the chunk, and in no range yet

  /**
   * What bounds requests.
   *
   * @param inline most bytes that are copied into a request
   * @param length most bytes of a request: those of the peer's receive requests
   * @param signalEvery of a chain, every so many are signalled
   */
  record Bounds(int inline, int length, int signalEvery) {}

  /**
   * A builder for a queue pair.
   *
   * @param requests filled by each {@link #build}
   * @param linkNumber own number of the link
   * @param immediate of requests with data
   */
  RequestBuilder(
      RingRegions.Lookup rings,
      StagingPool.Share smallChunks,
      StagingPool.Share largeChunks,
      SendRequests requests,
      SendSlots slots,
      Bounds bounds,
      int linkNumber,
      int immediate) {
    this.rings = rings;
    this.smallChunks = smallChunks;
    this.largeChunks = largeChunks;
    this.requests = requests;
    this.slots = slots;
    this.immediate = immediate;
    mostRanges = requests.maxRanges();
    mostInline = bounds.inline();
    longest = bounds.length();
    signalEvery = bounds.signalEvery();
    idBase = (long) linkNumber << Integer.SIZE;
  }

  /**
   * Makes requests of the beginning of an offer, each with a slot.
   *
   * @param total bytes of all ranges
   * @param most requests at most
   */
  void build(OutboundRanges offer, long total, int most) {
    requests.clear();
    mostRequests = Math.min(most, requests.capacity());
    copiesOnly = true;
    lacksChunk = false;
    if (total <= mostInline && total <= longest && offer.count() <= mostRanges) {
      addInline(offer, (int) total);
      return;
    }
    try {
      for (int i = 0; i < offer.count(); i++) {
        if (!append(offer.segment(i), offer.offset(i), offer.length(i))) {
          break;
        }
      }
      close();
    } finally {
      discard();
    }
  }

  /** If building has failed half way: nothing stays open. */
  private void discard() {
    StagingPool.Chunk unused = chunk;
    reset();
    if (unused != null) {
      unused.release();
    }
  }

  /** Whether the device needs no memory of the source's after the post. */
  boolean isCopiesOnly() {
    return copiesOnly;
  }

  /** Whether the chain ends where it does because there was no chunk. */
  boolean lacksChunk() {
    return lacksChunk;
  }

  /** Makes a chain of one request without data. */
  void buildSignal(int signal) {
    requests.clear();
    requests.add(SendOpcode.SEND_WITH_IMM, id(), 0);
    requests.immediate(signal);
    slots.add(0, null);
  }

  private long id() {
    return idBase | (slots.next() & 0xffff_ffffL);
  }

  private void addInline(OutboundRanges offer, int total) {
    requests.add(SendOpcode.SEND_WITH_IMM, id(), SendFlags.INLINE);
    requests.immediate(immediate);
    for (int i = 0; i < offer.count(); i++) {
      long address = offer.segment(i).address() + offer.offset(i);
      requests.addRange(address, (int) offer.length(i), 0);
    }
    slots.add(total, null);
  }

  /** Returns whether all of the range is in the chain. */
  private boolean append(MemorySegment memory, long offset, long length) {
    RingRegions.Ring registered = find(memory);
    long done = 0;
    while (done < length) {
      long left = length - done;
      int part =
          registered == null
              ? stage(memory, offset + done, left)
              : name(memory.address() + offset + done, left, registered.key());
      if (part == 0) {
        return false;
      }
      done += part;
    }
    return true;
  }

  private RingRegions.@Nullable Ring find(MemorySegment memory) {
    RingRegions.Ring last = ring;
    if (last != null && last.is(memory)) {
      return last;
    }
    RingRegions.Ring found = rings.find(memory);
    if (found != null) {
      ring = found;
    }
    return found;
  }

  /** Adds a range of registered memory; returns the bytes that fit. */
  private int name(long address, long length, int key) {
    int pending = staged > 0 ? 1 : 0;
    if (open && (bytes == longest || ranges + pending == mostRanges)) {
      close();
    }
    if (!open && isFull()) {
      return 0;
    }
    begin();
    nameStaged();
    int part = (int) Math.min(length, longest - bytes);
    requests.addRange(address, part, key);
    ranges++;
    bytes += part;
    copiesOnly = false;
    return part;
  }

  /** Copies bytes into the chunk of the request; returns how many. */
  private int stage(MemorySegment memory, long offset, long length) {
    StagingPool.Chunk current = chunk;
    if (open
        && (bytes == longest
            || (staged == 0 && ranges == mostRanges)
            || (current != null && current.room() == 0))) {
      close();
      current = null;
    }
    if (!open && isFull()) {
      return 0; // whatever chunks there are
    }
    if (current == null) {
      current = takeChunk(length);
      lacksChunk = current == null;
      if (current == null) {
        return 0;
      }
    }
    begin();
    chunk = current;
    if (staged == 0) {
      stagedFrom = current.address();
    }
    int part = (int) Math.min(length, Math.min(current.room(), longest - bytes));
    current.append(memory, offset, part);
    staged += part;
    bytes += part;
    return part;
  }

  private StagingPool.@Nullable Chunk takeChunk(long length) {
    StagingPool.Chunk small = length <= smallChunks.chunkLength() ? smallChunks.take() : null;
    return small == null ? largeChunks.take() : small;
  }

  private boolean isFull() {
    return requests.count() == mostRequests;
  }

  /** Opens a request, unless one is open. */
  private void begin() {
    if (open) {
      return;
    }
    boolean signalled = (requests.count() + 1) % signalEvery == 0;
    requests.add(SendOpcode.SEND_WITH_IMM, id(), signalled ? SendFlags.SIGNALED : 0);
    requests.immediate(immediate);
    open = true;
  }

  private void nameStaged() {
    StagingPool.Chunk current = chunk;
    if (staged > 0 && current != null) {
      requests.addRange(stagedFrom, staged, current.key());
      ranges++;
      staged = 0;
    }
  }

  private void close() {
    if (!open) {
      return;
    }
    nameStaged();
    slots.add(bytes, chunk);
    reset();
  }

  private void reset() {
    open = false;
    bytes = 0;
    ranges = 0;
    staged = 0;
    chunk = null;
  }
}
