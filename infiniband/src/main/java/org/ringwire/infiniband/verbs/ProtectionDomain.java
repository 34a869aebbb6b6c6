package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.ringwire.infiniband.verbs.library.Constants;
import org.ringwire.infiniband.verbs.library.MemoryLock;
import org.ringwire.infiniband.verbs.library.Verbs;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.library.VerbsLayout;
import org.ringwire.infiniband.verbs.types.Access;
import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.infiniband.verbs.types.Path;

/**
 * What may be used together: queue pairs reach only memory of their own domain. Any thread may call
 * any method.
 */
public final class ProtectionDomain extends VerbsObject {

  private final AtomicLong registered = new AtomicLong();

  ProtectionDomain(Device device, long handle) {
    super(device, Verbs.Release.DEALLOC_PD, handle);
  }

  /** The device that it is of. */
  public Device device() {
    return owner();
  }

  /** Bytes of the regions that are registered now. */
  public long registeredBytes() {
    return registered.get();
  }

  /**
   * Lets the device use memory, all of whose pages stay in the machine's memory until the region is
   * closed. The memory itself is the caller's, who frees it after closing the region.
   *
   * @param memory native memory, not empty
   * @param access constants of {@link Access}, or-ed; 0 for sending only
   * @throws IllegalStateException if it was freed: its addresses may be somebody else's by now
   * @throws VerbsException if it cannot be registered; when the limit of locked memory is why, the
   *     message names it and the command that raises it
   */
  public MemoryRegion register(MemorySegment memory, int access) {
    if (!memory.scope().isAlive()) {
      throw freed(memory);
    }
    return registerAs(memory, memory, access);
  }

  /** The same, of a region that does not keep the arena of the memory from ending by itself. */
  MemoryRegion registerWeakly(MemorySegment memory, int access) {
    if (!memory.scope().isAlive()) {
      throw freed(memory);
    }
    return registerAs(memory, Verbs.at(memory.address(), memory.byteSize()), access);
  }

  private static IllegalStateException freed(MemorySegment memory) {
    return new IllegalStateException("memory that was freed: length=" + memory.byteSize());
  }

  private MemoryRegion registerAs(MemorySegment memory, MemorySegment known, int access) {
    long length = memory.byteSize();
    String facts = "length=" + length + ", access=" + access;
    return made(
        handle -> new MemoryRegion(this, handle, known),
        Verbs.Release.DEREG_MR,
        Verbs.register(handle(), memory.address(), length, access, facts));
  }

  void count(long bytes) {
    registered.addAndGet(bytes);
    MemoryLock.count(bytes);
  }

  /**
   * Makes a queue of receive requests that queue pairs may share; the caller closes it.
   *
   * @param maxRequests requests outstanding
   * @param maxRanges ranges of a request
   */
  public SharedReceiveQueue createSharedReceiveQueue(int maxRequests, int maxRanges) {
    StructLayout layout = VerbsLayout.SRQ_INIT_ATTR;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(layout);
      long requests = VerbsLayout.offset(layout, "attr", "max_wr");
      long ranges = VerbsLayout.offset(layout, "attr", "max_sge");
      attributes.set(JAVA_INT, requests, maxRequests);
      attributes.set(JAVA_INT, ranges, maxRanges);
      String facts = "maxRequests=" + maxRequests + ", maxRanges=" + maxRanges;
      return made(
          handle ->
              new SharedReceiveQueue(
                  owner(),
                  handle,
                  attributes.get(JAVA_INT, requests),
                  attributes.get(JAVA_INT, ranges)),
          Verbs.Release.DESTROY_SRQ,
          Verbs.createSharedReceiveQueue(handle(), attributes, facts));
    }
  }

  /** Makes a reliable connected queue pair, which the caller closes. */
  public RcQueuePair createRcQueuePair(QueuePairOptions options) {
    return create(options, Constants.QPT_RC, created -> new RcQueuePair(owner(), created));
  }

  /** Makes an unreliable datagram queue pair, which the caller closes. */
  public UdQueuePair createUdQueuePair(QueuePairOptions options) {
    return create(options, Constants.QPT_UD, created -> new UdQueuePair(owner(), created));
  }

  private <Q extends QueuePair> Q create(
      QueuePairOptions options, int type, Function<QueuePair.Created, Q> maker) {
    StructLayout layout = VerbsLayout.QP_INIT_ATTR;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(layout);
      SharedReceiveQueue shared = options.receiveQueue();
      attributes.set(
          JAVA_LONG, VerbsLayout.offset(layout, "send_cq"), options.sendCompletions().handle());
      attributes.set(
          JAVA_LONG, VerbsLayout.offset(layout, "recv_cq"), options.receiveCompletions().handle());
      attributes.set(
          JAVA_LONG, VerbsLayout.offset(layout, "srq"), shared == null ? 0 : shared.handle());
      attributes.set(JAVA_INT, VerbsLayout.offset(layout, "qp_type"), type);
      attributes.set(
          JAVA_INT, VerbsLayout.offset(layout, "sq_sig_all"), options.signalAll() ? 1 : 0);
      boolean own = shared == null;
      capacity(attributes, "max_send_wr", options.maxSendRequests());
      capacity(attributes, "max_send_sge", options.maxSendRanges());
      capacity(attributes, "max_recv_wr", own ? options.maxReceiveRequests() : 0);
      capacity(attributes, "max_recv_sge", own ? options.maxReceiveRanges() : 0);
      capacity(attributes, "max_inline_data", options.maxInline());
      String facts =
          "maxSendRequests="
              + options.maxSendRequests()
              + ", maxSendRanges="
              + options.maxSendRanges()
              + ", maxInline="
              + options.maxInline();
      return made(
          handle ->
              maker.apply(
                  new QueuePair.Created(
                      handle,
                      granted(attributes, "max_send_wr"),
                      granted(attributes, "max_send_sge"),
                      granted(attributes, "max_inline_data"))),
          Verbs.Release.DESTROY_QP,
          Verbs.createQueuePair(handle(), attributes, facts));
    }
  }

  private static void capacity(MemorySegment attributes, String member, int value) {
    attributes.set(JAVA_INT, VerbsLayout.offset(VerbsLayout.QP_INIT_ATTR, "cap", member), value);
  }

  private static int granted(MemorySegment attributes, String member) {
    return attributes.get(JAVA_INT, VerbsLayout.offset(VerbsLayout.QP_INIT_ATTR, "cap", member));
  }

  /**
   * Makes the address of a peer for datagrams; the caller closes it.
   *
   * @param gid of the peer, used if the path is global
   * @param lid of the peer, 0 over Ethernet
   */
  public AddressHandle createAddressHandle(Path path, Gid gid, int lid) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(VerbsLayout.AH_ATTR);
      QueuePairAttributes.address(attributes, path, gid, lid);
      return made(
          handle -> new AddressHandle(owner(), handle),
          Verbs.Release.DESTROY_AH,
          Verbs.createAddressHandle(handle(), attributes, "gid=" + gid + ", lid=" + lid));
    }
  }

  @Override
  public String toString() {
    return "protection domain of " + owner();
  }
}
