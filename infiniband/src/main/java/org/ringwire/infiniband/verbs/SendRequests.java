package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.ringwire.infiniband.verbs.library.VerbsLayout;
import org.ringwire.infiniband.verbs.types.SendFlags;
import org.ringwire.infiniband.verbs.types.SendOpcode;
import org.ringwire.infiniband.verbs.types.WorkCounters;

/**
 * A reusable chain of send requests, each a list of ranges of registered memory. One thread builds
 * and posts it; its counters may be read by any. The library copies what is posted, so that the
 * list may be cleared at once; the memory of the ranges belongs to the device until the completion.
 * Nothing is allocated after the constructor.
 */
public final class SendRequests {

  private static final ValueLayout.OfInt NETWORK_INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

  private static final long SIZE = VerbsLayout.SEND_WR.byteSize();
  private static final long ID = offset("wr_id");
  private static final long NEXT = offset("next");
  private static final long RANGES = offset("sg_list");
  private static final long RANGE_COUNT = offset("num_sge");
  private static final long OPCODE = offset("opcode");
  private static final long FLAGS = offset("send_flags");
  private static final long IMMEDIATE = offset("imm_data");
  private static final long RDMA_ADDRESS = offset("wr", "rdma", "remote_addr");
  private static final long RDMA_KEY = offset("wr", "rdma", "rkey");
  private static final long ATOMIC_ADDRESS = offset("wr", "atomic", "remote_addr");
  private static final long ATOMIC_COMPARE_ADD = offset("wr", "atomic", "compare_add");
  private static final long ATOMIC_SWAP = offset("wr", "atomic", "swap");
  private static final long ATOMIC_KEY = offset("wr", "atomic", "rkey");
  private static final long UD_HANDLE = offset("wr", "ud", "ah");
  private static final long UD_PAIR = offset("wr", "ud", "remote_qpn");
  private static final long UD_QUEUE_KEY = offset("wr", "ud", "remote_qkey");

  private final MemorySegment memory;
  private final RangeLists ranges;
  private final long[] bytes;
  private final PostResult result;
  private final WorkCounters counters = new WorkCounters();
  private int count;

  /**
   * An empty chain.
   *
   * @param memories gives zeroed memory that lives longer than the chain, {@link #bytes} of it
   * @param maxRequests requests in it, at most
   * @param maxRanges ranges of each, at most
   */
  public SendRequests(SegmentAllocator memories, int maxRequests, int maxRanges) {
    memory = memories.allocate(VerbsLayout.SEND_WR, maxRequests);
    ranges = new RangeLists(memories, maxRequests, maxRanges);
    bytes = new long[maxRequests];
    result = new PostResult(memories, memory.address(), SIZE);
    for (int i = 0; i < maxRequests; i++) {
      memory.set(JAVA_LONG, i * SIZE + RANGES, ranges.address(i));
    }
  }

  /** Bytes of memory that a chain takes at most, aligned to 8 bytes. */
  public static long bytes(int maxRequests, int maxRanges) {
    return maxRequests * (SIZE + Long.BYTES)
        + RangeLists.bytes(maxRequests, maxRanges)
        + PostResult.BYTES;
  }

  private static long offset(String... path) {
    return VerbsLayout.offset(VerbsLayout.SEND_WR, path);
  }

  /** Requests that fit. */
  public int capacity() {
    return bytes.length;
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
    return count == bytes.length;
  }

  /**
   * Appends a request without ranges; the methods that follow are about it.
   *
   * @param opcode a constant of {@link SendOpcode}
   * @param id comes back in its completion
   * @param flags constants of {@link SendFlags}, or-ed
   * @return its index
   * @throws IndexOutOfBoundsException if it does not fit
   */
  public int add(int opcode, long id, int flags) {
    int index = count;
    bytes[index] = 0; // throws if it is full
    long at = index * SIZE;
    memory.set(JAVA_LONG, at + ID, id);
    memory.set(JAVA_LONG, at + NEXT, 0);
    memory.set(JAVA_INT, at + RANGE_COUNT, 0);
    memory.set(JAVA_INT, at + OPCODE, opcode);
    memory.set(JAVA_INT, at + FLAGS, flags);
    if (index > 0) {
      memory.set(JAVA_LONG, at - SIZE + NEXT, memory.address() + at);
    }
    count = index + 1;
    return index;
  }

  /**
   * Appends a range to the last request.
   *
   * @param localKey of the region that it lies in; ignored with {@link SendFlags#INLINE}
   * @throws IndexOutOfBoundsException if it does not fit
   */
  public void addRange(long address, int length, int localKey) {
    int index = count - 1;
    long at = index * SIZE + RANGE_COUNT;
    int range = memory.get(JAVA_INT, at);
    ranges.set(index, range, address, length, localKey);
    memory.set(JAVA_INT, at, range + 1);
    bytes[index] += length;
  }

  /** Sets the immediate data of the last request, whose opcode must say that it has some. */
  public void immediate(int value) {
    memory.set(NETWORK_INT, last() + IMMEDIATE, value);
  }

  /** Sets what the last request reads or writes in the memory of the peer. */
  public void remote(long address, int remoteKey) {
    memory.set(JAVA_LONG, last() + RDMA_ADDRESS, address);
    memory.set(JAVA_INT, last() + RDMA_KEY, remoteKey);
  }

  /**
   * Sets what the last request changes in the memory of the peer.
   *
   * @param address divisible by 8
   * @param compareOrAdd the value expected, or added
   * @param swap the new value; ignored when adding
   */
  public void atomic(long address, int remoteKey, long compareOrAdd, long swap) {
    memory.set(JAVA_LONG, last() + ATOMIC_ADDRESS, address);
    memory.set(JAVA_LONG, last() + ATOMIC_COMPARE_ADD, compareOrAdd);
    memory.set(JAVA_LONG, last() + ATOMIC_SWAP, swap);
    memory.set(JAVA_INT, last() + ATOMIC_KEY, remoteKey);
  }

  /** Sets where the last request, a datagram, goes. */
  public void destination(AddressHandle handle, int remoteQueuePair, int queueKey) {
    memory.set(JAVA_LONG, last() + UD_HANDLE, handle.handle());
    memory.set(JAVA_INT, last() + UD_PAIR, remoteQueuePair);
    memory.set(JAVA_INT, last() + UD_QUEUE_KEY, queueKey);
  }

  private long last() {
    return (count - 1) * SIZE;
  }

  /** Adds flags to a request, for example to signal the last one of the chain. */
  public void addFlags(int index, int flags) {
    long at = index * SIZE + FLAGS;
    memory.set(JAVA_INT, at, memory.get(JAVA_INT, at) | flags);
  }

  /** Whether a request has a completion also when it succeeds. */
  public boolean isSignalled(int index) {
    return (memory.get(JAVA_INT, index * SIZE + FLAGS) & SendFlags.SIGNALED) != 0;
  }

  /** The id that a request was given. */
  public long id(int index) {
    return memory.get(JAVA_LONG, index * SIZE + ID);
  }

  /** Sum of the lengths of a request's ranges. */
  public long bytes(int index) {
    return bytes[index];
  }

  /** Posts from an index on; returns the first index that was not posted. */
  int post(MemorySegment function, long queue, int from) {
    if (from >= count) {
      return count;
    }
    int end = result.post("ibv_post_send", function, queue, from, count);
    long postedBytes = 0;
    long postedRanges = 0;
    for (int i = from; i < end; i++) {
      postedBytes += bytes[i];
      postedRanges += memory.get(JAVA_INT, i * SIZE + RANGE_COUNT);
    }
    counters.countPost(end - from, postedRanges, postedBytes);
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

  /** Ranges of these. */
  public long postedRanges() {
    return counters.ranges();
  }

  /** Bytes of these. */
  public long postedBytes() {
    return counters.bytes();
  }
}
