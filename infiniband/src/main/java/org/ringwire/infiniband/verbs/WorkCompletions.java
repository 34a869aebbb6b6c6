package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.ringwire.infiniband.verbs.library.Constants;
import org.ringwire.infiniband.verbs.library.VerbsLayout;
import org.ringwire.infiniband.verbs.types.CompletionOpcode;
import org.ringwire.infiniband.verbs.types.WorkCounters;
import org.ringwire.infiniband.verbs.types.WorkStatus;

/**
 * A list that {@link CompletionQueue#poll} fills again and again. One thread uses it; its counters
 * may be read by any. What stands in an entry that was not successful is only its id, status, queue
 * pair and vendor error.
 */
public final class WorkCompletions {

  private static final ValueLayout.OfInt NETWORK_INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

  private static final long SIZE = VerbsLayout.WC.byteSize();
  private static final long ID = offset("wr_id");
  private static final long STATUS = offset("status");
  private static final long OPCODE = offset("opcode");
  private static final long VENDOR_ERROR = offset("vendor_err");
  private static final long LENGTH = offset("byte_len");
  private static final long IMMEDIATE = offset("imm_data");
  private static final long QUEUE_PAIR = offset("qp_num");
  private static final long SOURCE_QUEUE_PAIR = offset("src_qp");
  private static final long FLAGS = offset("wc_flags");

  private final MemorySegment memory;
  private final long address;
  private final int capacity;
  private final WorkCounters counters = new WorkCounters();

  /**
   * An empty list.
   *
   * @param arena lives longer than the list
   * @param capacity entries taken at a time, at most
   */
  public WorkCompletions(Arena arena, int capacity) {
    memory = arena.allocate(VerbsLayout.WC, capacity);
    address = memory.address();
    this.capacity = capacity;
  }

  private static long offset(String member) {
    return VerbsLayout.offset(VerbsLayout.WC, member);
  }

  long address() {
    return address;
  }

  void filled(int count) {
    counters.countPoll(count);
  }

  /** Entries that are taken at a time, at most. */
  public int capacity() {
    return capacity;
  }

  /** What the request was given as its id. */
  public long id(int index) {
    return memory.get(JAVA_LONG, at(index) + ID);
  }

  /** A constant of {@link WorkStatus}. */
  public int status(int index) {
    return memory.get(JAVA_INT, at(index) + STATUS);
  }

  /** Whether the request succeeded. */
  public boolean isSuccess(int index) {
    return status(index) == WorkStatus.SUCCESS;
  }

  /** A constant of {@link CompletionOpcode}. */
  public int opcode(int index) {
    return memory.get(JAVA_INT, at(index) + OPCODE);
  }

  /** Whether it was a receive request. */
  public boolean isReceive(int index) {
    return (opcode(index) & CompletionOpcode.RECV) != 0;
  }

  /**
   * Bytes that arrived, of receive requests, reads and atomics; with datagrams the 40 bytes of the
   * route are counted.
   */
  public int length(int index) {
    return memory.get(JAVA_INT, at(index) + LENGTH);
  }

  /** Whether immediate data came with it. */
  public boolean hasImmediate(int index) {
    return (memory.get(JAVA_INT, at(index) + FLAGS) & Constants.WC_WITH_IMM) != 0;
  }

  /** The immediate data. */
  public int immediate(int index) {
    return memory.get(NETWORK_INT, at(index) + IMMEDIATE);
  }

  /** Whether the first 40 bytes of a datagram's memory hold its route. */
  public boolean hasGlobalRoute(int index) {
    return (memory.get(JAVA_INT, at(index) + FLAGS) & Constants.WC_GRH) != 0;
  }

  /** The queue pair of this node that the request was posted to, or received for. */
  public int queuePair(int index) {
    return memory.get(JAVA_INT, at(index) + QUEUE_PAIR);
  }

  /** The queue pair that sent a datagram. */
  public int sourceQueuePair(int index) {
    return memory.get(JAVA_INT, at(index) + SOURCE_QUEUE_PAIR);
  }

  /** What the vendor of the device calls the failure. */
  public int vendorError(int index) {
    return memory.get(JAVA_INT, at(index) + VENDOR_ERROR);
  }

  /** Times that a queue was polled into it. */
  public long polls() {
    return counters.calls();
  }

  /** Polls that found nothing. */
  public long emptyPolls() {
    return counters.emptyCalls();
  }

  /** Completions taken in all. */
  public long completions() {
    return counters.requests();
  }

  private long at(int index) {
    return index * SIZE;
  }
}
