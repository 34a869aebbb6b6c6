package org.ringwire.infiniband.msgrc;

import java.lang.foreign.MemorySegment;
import org.ringwire.infiniband.verbs.MemoryRegion;
import org.ringwire.infiniband.verbs.ProtectionDomain;
import org.ringwire.infiniband.verbs.ReceiveRequests;
import org.ringwire.infiniband.verbs.SharedReceiveQueue;
import org.ringwire.infiniband.verbs.types.Access;
import org.ringwire.ring.NativeMemory;

/**
 * The shared receive queue, and the pool of slices that its requests scatter to (Ibdxnet paper,
 * section IV-C). A request is a list of slices; what arrives fills the first of them, and since it
 * is handed over before the request is posted again, all of them come back at once. Who has the
 * {@link ReceiveRole} only, but for {@link #queue}.
 */
final class ReceiveQueue implements AutoCloseable {

  /** What freed slices are filled with if {@code -Dringwire.poison=true} is set. */
  private static final boolean POISONED = Boolean.getBoolean("ringwire.poison");

  private static final int BATCH = 32;

  private final SharedReceiveQueue queue;
  private final MemorySegment memory;
  private final MemoryRegion region;
  private final int ranges;
  private final int sliceLength;
  private final SlicePool pool;
  private final int[] slices; // of each request, one after the other
  private final int[] idle; // requests that are not posted
  private final int low; // as many as make the queue low
  private int idleCount;
  private final ReceiveRequests batch;
  private long received; // counters; written by who receives
  private long receivedBytes;

  /** Takes the pieces of what has arrived. */
  @FunctionalInterface
  interface Sink {
    /** Bytes that lie side by side; valid during the call. */
    void take(MemorySegment memory, long offset, long length);
  }

  /**
   * Allocates and registers the pool; posts nothing yet.
   *
   * @param wantedRequests as many as the queue grants, up to these
   */
  ReceiveQueue(
      ProtectionDomain domain,
      NativeMemory.Scope scope,
      int wantedRequests,
      int ranges,
      int sliceLength) {
    this.ranges = ranges;
    this.sliceLength = sliceLength;
    queue = domain.createSharedReceiveQueue(wantedRequests, ranges);
    int requests = Math.min(wantedRequests, queue.maxRequests());
    boolean made = false;
    try {
      memory = scope.allocate((long) requests * ranges * sliceLength, 4096);
      region = domain.register(memory, Access.LOCAL_WRITE);
      made = true;
    } finally {
      if (!made) {
        queue.close();
      }
    }
    pool = new SlicePool(requests * ranges);
    slices = new int[requests * ranges];
    idle = new int[requests];
    low = Math.clamp(requests / 4, 1, BATCH / 2);
    for (int i = 0; i < requests; i++) {
      idle[i] = requests - 1 - i;
    }
    idleCount = requests;
    batch = new ReceiveRequests(scope.arena(), Math.min(BATCH, requests), ranges);
  }

  /** The queue, for queue pairs. */
  SharedReceiveQueue queue() {
    return queue;
  }

  /** Requests that there are. */
  int requests() {
    return idle.length;
  }

  /** Bytes that a request takes. */
  int requestLength() {
    return ranges * sliceLength;
  }

  /** Posts what is not posted, if that is much of the queue. */
  void refillIfLow() {
    if (idleCount >= low) {
      refill();
    }
  }

  /** Posts what is not posted, in chains. */
  void refill() {
    while (idleCount > 0 && pool.available() >= ranges) {
      batch.clear();
      while (idleCount > 0 && !batch.isFull() && add(idle[idleCount - 1])) {
        idleCount--;
      }
      if (!postBatch()) {
        return;
      }
    }
  }

  /** Posts the batch; what is not posted, whatever keeps it from that, is for the next one. */
  private boolean postBatch() {
    int posted = 0;
    try {
      posted = queue.post(batch, 0);
    } finally {
      takeBack(posted);
    }
    return posted == batch.count();
  }

  private boolean add(int request) {
    int first = request * ranges;
    if (!pool.take(slices, first, ranges)) {
      return false;
    }
    batch.add(request);
    for (int i = 0; i < ranges; i++) {
      batch.addRange(memory.address() + offset(slices[first + i]), sliceLength, region.localKey());
    }
    return true;
  }

  private long offset(int slice) {
    return (long) slice * sliceLength;
  }

  /** The queue is full, whatever it has granted, or the device has refused. */
  private void takeBack(int from) {
    for (int i = batch.count() - 1; i >= from; i--) {
      int request = (int) batch.id(i);
      pool.give(slices, request * ranges, ranges);
      idle[idleCount++] = request;
    }
  }

  /** Hands over what a request has received, slice by slice, or more at once. */
  void handOver(int request, int length, Sink sink) {
    received++;
    receivedBytes += length;
    int left = Math.min(length, requestLength());
    int index = request * ranges;
    while (left > 0) {
      long start = offset(slices[index]);
      int part = Math.min(left, sliceLength);
      while (part < left && slices[index + 1] == slices[index] + 1) { // they lie side by side
        index++;
        part += Math.min(left - part, sliceLength);
      }
      sink.take(memory, start, part);
      left -= part;
      index++;
    }
  }

  /** The request and all of its slices may be used again. */
  void release(int request) {
    int first = request * ranges;
    if (POISONED) {
      for (int i = 0; i < ranges; i++) {
        memory.asSlice(offset(slices[first + i]), sliceLength).fill(NativeMemory.POISON);
      }
    }
    pool.give(slices, first, ranges);
    idle[idleCount++] = request;
  }

  /** Requests that have received something. */
  long received() {
    return received;
  }

  /** Bytes that they have received. */
  long receivedBytes() {
    return receivedBytes;
  }

  /** What was posted. */
  ReceiveRequests posted() {
    return batch;
  }

  /** Closes the queue, which no queue pair uses any more, and then takes its memory from it. */
  @Override
  public void close() {
    queue.close();
    region.close();
  }
}
