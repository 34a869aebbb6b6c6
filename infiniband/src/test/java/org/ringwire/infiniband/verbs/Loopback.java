package org.ringwire.infiniband.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.ringwire.infiniband.verbs.types.Access;
import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.infiniband.verbs.types.GidEntry;
import org.ringwire.infiniband.verbs.types.Path;
import org.ringwire.infiniband.verbs.types.RetryOptions;
import org.ringwire.infiniband.verbs.types.SendFlags;
import org.ringwire.infiniband.verbs.types.WorkStatus;

/** Two reliable queue pairs of one device, connected to each other, and memory for both. */
final class Loopback implements AutoCloseable {

  static final int MEMORY = 1 << 20;
  static final int DEPTH = 64;
  static final int RANGES = 4;
  static final int ALL_ACCESS =
      Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int FIRST_PSN = 77;
  private static final int SECOND_PSN = 0xfffff0; // wraps soon

  private final Deque<VerbsObject> open = new ArrayDeque<>();

  final Arena arena = Arena.ofShared();
  final Device device;
  final Path path;
  final Gid gid;
  final ProtectionDomain domain;
  final CompletionChannel channel;
  final CompletionQueue sent;
  final CompletionQueue received;
  final SharedReceiveQueue receiveQueue;
  final MemoryRegion region;
  final RcQueuePair one;
  final RcQueuePair other;
  final SendRequests sends = new SendRequests(arena, DEPTH, RANGES);
  final ReceiveRequests receives = new ReceiveRequests(arena, DEPTH, RANGES);
  final WorkCompletions completions = new WorkCompletions(arena, 1);

  Loopback() {
    this(DEPTH);
  }

  /** With room for so many send requests. */
  Loopback(int depth) {
    device = Devices.open("");
    GidEntry entry =
        device.gids(1).stream().filter(each -> each.gid().isIpv4()).findFirst().orElseThrow();
    gid = entry.gid();
    path = new Path(1, entry.index(), device.port(1).activeMtu(), 0, 0, 0, 64, 0, true);
    domain = opened(device.allocateProtectionDomain());
    channel = opened(device.createCompletionChannel());
    sent = opened(device.createCompletionQueue(4 * DEPTH, null));
    received = opened(device.createCompletionQueue(4 * DEPTH, channel));
    receiveQueue = opened(domain.createSharedReceiveQueue(DEPTH, RANGES));
    region = opened(domain.register(arena.allocate(MEMORY, 4096), ALL_ACCESS));
    one = opened(domain.createRcQueuePair(options(depth)));
    other = opened(domain.createRcQueuePair(options(depth)));
    one.toInit(path, ALL_ACCESS);
    other.toInit(path, ALL_ACCESS);
    one.toReadyToReceive(path, other.number(), SECOND_PSN, gid, 0, RetryOptions.DEFAULT);
    other.toReadyToReceive(path, one.number(), FIRST_PSN, gid, 0, RetryOptions.DEFAULT);
    one.toReadyToSend(FIRST_PSN, RetryOptions.DEFAULT);
    other.toReadyToSend(SECOND_PSN, RetryOptions.DEFAULT);
  }

  private QueuePairOptions options(int depth) {
    return new QueuePairOptions(sent, received, receiveQueue, depth, RANGES, 0, 0, 128, false);
  }

  <T extends VerbsObject> T opened(T resource) {
    open.push(resource);
    return resource;
  }

  MemorySegment memory() {
    return region.memory();
  }

  /** Address of a byte of the memory. */
  long at(long offset) {
    return region.address() + offset;
  }

  void send(RcQueuePair pair) {
    int posted = pair.post(sends, 0);
    if (posted != sends.count()) {
      throw new AssertionError("posted " + posted + " of " + sends.count());
    }
  }

  /** Starts a chain of one signalled request. */
  SendRequests request(int opcode, long id) {
    sends.clear();
    sends.add(opcode, id, SendFlags.SIGNALED);
    return sends;
  }

  void range(long offset, int length) {
    sends.addRange(at(offset), length, region.localKey());
  }

  /** Posts a receive request over ranges, given as offsets and lengths. */
  void receive(long id, long... offsetsAndLengths) {
    receives.clear();
    receives.add(id);
    for (int i = 0; i < offsetsAndLengths.length; i += 2) {
      receives.addRange(
          at(offsetsAndLengths[i]), (int) offsetsAndLengths[i + 1], region.localKey());
    }
    if (receiveQueue.post(receives, 0) != 1) {
      throw new AssertionError("the receive queue is full");
    }
  }

  /** Waits for one completion. */
  WorkCompletions next(CompletionQueue queue) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (queue.poll(completions) == 0) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("no completion in " + PATIENCE);
      }
      Thread.onSpinWait();
    }
    return completions;
  }

  /** Waits for one completion, which must be good. */
  WorkCompletions nextGood(CompletionQueue queue) {
    WorkCompletions next = next(queue);
    if (!next.isSuccess(0)) {
      throw new AssertionError(WorkStatus.describe(next.status(0)));
    }
    return next;
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      open.pop().close();
    }
    device.close();
    arena.close();
  }
}
