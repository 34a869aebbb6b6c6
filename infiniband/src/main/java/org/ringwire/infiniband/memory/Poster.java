package org.ringwire.infiniband.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.RemoteMemoryException.Reason;
import org.ringwire.infiniband.verbs.MemoryRegion;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.infiniband.verbs.SendRequests;
import org.ringwire.infiniband.verbs.library.Errno;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.types.Access;
import org.ringwire.infiniband.verbs.types.SendFlags;
import org.ringwire.infiniband.verbs.types.SendOpcode;
import org.ringwire.ring.NativeMemory;

/**
 * Makes chains of requests of the operations that wait, piece by piece, and keeps what is under
 * way. Guarded by the lock of its {@link Initiator}.
 */
final class Poster implements AutoCloseable {

  private static final int CHAIN = 16;
  private static final int LONGEST_PIECE = 1 << 20;

  private final Operations waiting;
  private final Outcomes outcomes;
  private final Flights flights;
  private final SendRequests requests;
  private final Chunks chunks;
  private final MemoryRegion region;
  private final int longest;
  private long idBase;
  private long chain; // number of its first request, or of the next one if it was posted
  private long signalled = -1; // number of the last request that was posted and tells of its end

  /**
   * Nothing is under way.
   *
   * @param depth how many requests may be
   * @param waiting where pieces come from, and go back to
   * @param outcomes of operations of which no piece can be made
   */
  Poster(
      MemoryDevice device,
      NativeMemory.Scope scope,
      int depth,
      Operations waiting,
      Outcomes outcomes) {
    this.waiting = waiting;
    this.outcomes = outcomes;
    flights = new Flights(depth);
    requests = new SendRequests(scope.arena(), Math.min(CHAIN, depth), 1);
    MemorySegment memory = Chunks.allocate(scope, depth);
    region = device.register(memory, Access.LOCAL_WRITE);
    chunks = new Chunks(memory, region);
    longest = Math.min(LONGEST_PIECE, device.maxMessageLength());
  }

  Flights flights() {
    return flights;
  }

  /** The number of a request that is under way, or -1: it was of a queue pair that is gone. */
  long find(long id, int generation) {
    return (int) (id >>> Integer.SIZE) == generation ? flights.find((int) id) : -1;
  }

  /**
   * Empties the chain, of which nothing may be left that is not posted; the next ones are of a
   * queue pair with this number.
   */
  private void begin(int generation) {
    requests.clear();
    chain = flights.next();
    idBase = (long) generation << Integer.SIZE;
  }

  boolean isEmpty() {
    return requests.count() == 0;
  }

  /** Whether as much is under way as may be. */
  boolean isFull() {
    return flights.isFull();
  }

  /**
   * Makes a chain of what waits; of nothing, if there is no heap for all of it. What waits no more
   * is under way, or has ended.
   *
   * @param life of the node that the queue pair leads to
   * @param generation number of the queue pair
   */
  void gather(long life, int generation) {
    begin(generation);
    boolean made = false;
    try {
      while (hasRoom() && isGathered(waiting.peek(), life, generation)) {
        // the next
      }
      made = true;
    } finally {
      if (!made) { // else it would seem to be under way
        takeChainBack();
      }
    }
  }

  /** Whether there is room for one more request in the chain, however long it is. */
  private boolean hasRoom() {
    return !requests.isFull() && !flights.isFull();
  }

  /** Adds a piece of the first that waits, or ends it; false if that must wait. */
  private boolean isGathered(@Nullable Operation operation, long life, int generation) {
    if (operation == null || operation.isOutdated(life, generation)) {
      return false;
    }
    Reason why = operation.region().endIn(life);
    if (why != null && operation.isAtRest()) {
      waiting.remove(operation);
      outcomes.fail(operation, why, "an operation was refused before", null);
    } else {
      addPieceOrCut(operation);
    }
    return true;
  }

  private void addPieceOrCut(Operation operation) {
    try {
      addPiece(operation);
    } catch (RuntimeException e) { // memory that is gone, for instance
      operation.cut(e);
    }
    if (operation.unposted() == 0) {
      waiting.remove(operation);
      if (operation.isAtRest()) { // cut before anything of it was posted
        outcomes.end(operation);
      }
    }
  }

  private void addPiece(Operation operation) {
    boolean copied = operation.registration() == null;
    int length = (int) Math.min(operation.unposted(), copied ? Chunks.LENGTH : longest);
    int chunk = copied ? chunks.of(flights.next()) : Flights.NO_CHUNK;
    if (copied && operation.opcode() == SendOpcode.RDMA_WRITE) {
      chunks.copyIn(chunk, operation.memory(), operation.posted(), length);
    }
    addRequest(operation, length, chunk);
    flights.add(operation, length, chunk);
    operation.post(length);
  }

  private void addRequest(Operation operation, int length, int chunk) {
    MemoryRegion registration = operation.registration();
    boolean last = length == operation.unposted();
    long id = idBase | (flights.next() & 0xffff_ffffL);
    if (last && operation.notifies()) {
      requests.add(SendOpcode.RDMA_WRITE_WITH_IMM, id, SendFlags.SIGNALED);
      requests.immediate(operation.immediate());
    } else {
      requests.add(operation.opcode(), id, last ? SendFlags.SIGNALED : 0);
    }
    if (registration == null) {
      requests.addRange(chunks.address(chunk), length, chunks.key());
    } else {
      long at = operation.memory().address() + operation.posted();
      requests.addRange(at, length, registration.localKey());
    }
    int key = operation.region().descriptor().key();
    if (operation.isAtomic()) {
      requests.atomic(operation.remoteAddress(), key, operation.operand(), operation.swap());
    } else {
      requests.remote(operation.remoteAddress(), key);
    }
  }

  /**
   * Posts the chain; what the device has no room for waits on.
   *
   * @return whether it had room for all
   * @throws VerbsException if it takes none, or fewer than it has granted and nothing under way
   *     tells of its end; then all of it counts as under way, as it does whatever else is thrown
   */
  boolean post(RcQueuePair pair) {
    int count = requests.count();
    requests.addFlags(count - 1, SendFlags.SIGNALED);
    int posted = count;
    try {
      int taken = pair.post(requests, 0);
      noteSignalled(taken);
      if (taken < count && signalled < flights.first()) { // nothing would come for what waits
        throw new VerbsException(
            "ibv_post_send", Errno.ENOMEM, "fewer requests than granted: posted=" + taken);
      }
      posted = taken;
    } finally {
      chain += posted;
    }
    takeChainBack();
    return posted == count;
  }

  private void noteSignalled(int taken) {
    int last = taken - 1;
    while (last >= 0 && !requests.isSignalled(last)) {
      last--;
    }
    if (last >= 0) {
      signalled = chain + last;
    }
  }

  /** The oldest request was carried out; returns its operation. */
  Operation landFirst() {
    long first = flights.first();
    Operation operation = flights.operation(first);
    int chunk = flights.chunk(first);
    int length = flights.length(first);
    if (chunk != Flights.NO_CHUNK) {
      bring(operation, chunk, flights.offset(first), length);
    }
    operation.land(length);
    flights.removeFirst();
    return operation;
  }

  private void bring(Operation operation, int chunk, long offset, int length) {
    if (operation.isAtomic()) {
      operation.result(chunks.number(chunk));
    } else if (operation.opcode() == SendOpcode.RDMA_READ) {
      try {
        chunks.copyOut(chunk, operation.memory(), offset, length);
      } catch (RuntimeException e) { // memory that is gone
        operation.fail(e);
      }
    }
  }

  /** Whether a chain was begun that is neither posted nor taken back: a stack was at its end. */
  boolean hasChain() {
    return flights.next() > chain && !flights.isEmpty();
  }

  /** What of the chain is not posted waits again, before what waits. */
  void takeChainBack() {
    while (hasChain()) {
      takeLastBack();
    }
    requests.clear();
  }

  /** Nothing that is under way was carried out: all of it waits again, before what waits. */
  void takeBack() {
    while (!flights.isEmpty()) {
      takeLastBack();
    }
    signalled = flights.first() - 1; // their numbers are those of the next ones
  }

  /** Nobody knows whether the oldest request was carried out; returns its operation. */
  Operation dropFirst() {
    Operation operation = flights.operation(flights.first());
    flights.removeFirst();
    return operation;
  }

  private void takeLastBack() {
    long last = flights.next() - 1;
    Operation operation = flights.operation(last);
    if (waiting.peek() != operation) {
      waiting.addFirst(operation);
    }
    operation.rewind(flights.offset(last));
    flights.removeLast();
  }

  /** After the queue pair was destroyed. */
  @Override
  public void close() {
    region.close();
  }
}
