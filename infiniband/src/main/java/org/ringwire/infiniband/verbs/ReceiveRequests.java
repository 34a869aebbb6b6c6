package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ringwire.infiniband.verbs.library.VerbsLayout;
import org.ringwire.infiniband.verbs.types.Access;
import org.ringwire.infiniband.verbs.types.WorkCounters;

/**
 * A reusable chain of receive requests, each a list of ranges of registered memory over which one
 * message is scattered. One thread builds and posts it; its counters may be read by any. Nothing is
 * allocated after the constructor.
 */
public final class ReceiveRequests {

  private static final long SIZE = VerbsLayout.RECV_WR.byteSize();
  private static final long ID = VerbsLayout.offset(VerbsLayout.RECV_WR, "wr_id");
  private static final long NEXT = VerbsLayout.offset(VerbsLayout.RECV_WR, "next");
  private static final long RANGES = VerbsLayout.offset(VerbsLayout.RECV_WR, "sg_list");
  private static final long RANGE_COUNT = VerbsLayout.offset(VerbsLayout.RECV_WR, "num_sge");

  private final MemorySegment memory;
  private final RangeLists ranges;
  private final int capacity;
  private final PostResult result;
  private final WorkCounters counters = new WorkCounters();
  private int count;

  /**
   * An empty chain.
   *
   * @param arena lives longer than the chain
   * @param maxRequests requests in it, at most
   * @param maxRanges ranges of each, at most
   */
  public ReceiveRequests(Arena arena, int maxRequests, int maxRanges) {
    memory = arena.allocate(VerbsLayout.RECV_WR, maxRequests);
    ranges = new RangeLists(arena, maxRequests, maxRanges);
    capacity = maxRequests;
    result = new PostResult(arena, memory.address(), SIZE);
    for (int i = 0; i < maxRequests; i++) {
      memory.set(JAVA_LONG, i * SIZE + RANGES, ranges.address(i));
    }
  }

  /** Requests that fit. */
  public int capacity() {
    return capacity;
  }

  /** Ranges of a request that fit. */
  public int maxRanges() {
    return ranges.width();
  }

  /** Empties the chain. */
  public void clear() {
    count = 0;
  }

  /** Requests that are in it. */
  public int count() {
    return count;
  }

  /** Whether no other request fits. */
  public boolean isFull() {
    return count == capacity;
  }

  /**
   * Appends a request without ranges, as for messages that are empty.
   *
   * @param id comes back in its completion
   * @return its index
   * @throws IndexOutOfBoundsException if it does not fit
   */
  public int add(long id) {
    int index = count;
    long at = index * SIZE;
    memory.set(JAVA_LONG, at + ID, id); // throws if it is full
    memory.set(JAVA_LONG, at + NEXT, 0);
    memory.set(JAVA_INT, at + RANGE_COUNT, 0);
    if (index > 0) {
      memory.set(JAVA_LONG, at - SIZE + NEXT, memory.address() + at);
    }
    count = index + 1;
    return index;
  }

  /**
   * Appends a range to the last request.
   *
   * @param localKey of the region that it lies in, which must allow {@link Access#LOCAL_WRITE}
   * @throws IndexOutOfBoundsException if it does not fit
   */
  public void addRange(long address, int length, int localKey) {
    int index = count - 1;
    long at = index * SIZE + RANGE_COUNT;
    int range = memory.get(JAVA_INT, at);
    ranges.set(index, range, address, length, localKey);
    memory.set(JAVA_INT, at, range + 1);
  }

  /** The id that a request was given. */
  public long id(int index) {
    return memory.get(JAVA_LONG, index * SIZE + ID);
  }

  /** Posts from an index on; returns the first index that was not posted. */
  int post(String verb, MemorySegment function, long queue, int from) {
    if (from >= count) {
      return count;
    }
    int end = result.post(verb, function, queue, from, count);
    counters.countPost(end - from, 0, 0);
    return end;
  }

  /** Times that it was posted, or a part of it. */
  public long posts() {
    return counters.calls();
  }

  /** Requests that were posted in all. */
  public long postedRequests() {
    return counters.requests();
  }
}
