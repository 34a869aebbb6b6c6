package org.ringwire.infiniband.memory;

import java.lang.foreign.MemorySegment;
import org.ringwire.infiniband.verbs.MemoryRegion;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.infiniband.verbs.SendRequests;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.types.Access;
import org.ringwire.infiniband.verbs.types.SendFlags;
import org.ringwire.infiniband.verbs.types.SendOpcode;
import org.ringwire.ring.NativeMemory;

/**
 * Makes chains of requests of operations, piece by piece, and keeps what is under way. Guarded by
 * the lock of its {@link Initiator}.
 */
final class Poster implements AutoCloseable {

  private static final int CHAIN = 16;
  private static final int LONGEST_PIECE = 1 << 20;

  private final Flights flights;
  private final SendRequests requests;
  private final Chunks chunks;
  private final MemoryRegion region;
  private final int longest;
  private long idBase;
  private long chain; // number of its first request, or of the next one if it was posted

  Poster(MemoryDevice device, NativeMemory.Scope scope, int depth) {
    flights = new Flights(depth);
    requests = new SendRequests(scope.arena(), Math.min(CHAIN, depth), 1);
    MemorySegment memory = Chunks.allocate(scope, depth);
    region = device.domain().register(memory, Access.LOCAL_WRITE);
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
  void begin(int generation) {
    requests.clear();
    chain = flights.next();
    idBase = (long) generation << Integer.SIZE;
  }

  boolean isEmpty() {
    return requests.count() == 0;
  }

  /** Whether there is room for one more request in the chain, however long it is. */
  boolean hasRoom() {
    return !requests.isFull() && !flights.isFull();
  }

  /** Whether as much is under way as may be. */
  boolean isFull() {
    return flights.isFull();
  }

  /** Adds the next piece of an operation. */
  void addPiece(Operation operation) {
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
   * @throws VerbsException if it takes none; then all of it counts as under way, as it does
   *     whatever else is thrown
   */
  boolean post(RcQueuePair pair, Operations waiting) {
    int count = requests.count();
    requests.addFlags(count - 1, SendFlags.SIGNALED);
    int posted = count;
    try {
      posted = pair.post(requests, 0);
    } finally {
      chain += posted;
    }
    takeChainBack(waiting);
    return posted == count;
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
  void takeChainBack(Operations waiting) {
    while (hasChain()) {
      takeLastBack(waiting);
    }
    requests.clear();
  }

  /** Nothing that is under way was carried out: all of it waits again, before what waits. */
  void takeBack(Operations waiting) {
    while (!flights.isEmpty()) {
      takeLastBack(waiting);
    }
  }

  /** Nobody knows whether the oldest request was carried out; returns its operation. */
  Operation dropFirst() {
    Operation operation = flights.operation(flights.first());
    flights.removeFirst();
    return operation;
  }

  private void takeLastBack(Operations waiting) {
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
