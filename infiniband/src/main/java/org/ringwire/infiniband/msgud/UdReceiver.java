package org.ringwire.infiniband.msgud;

import java.lang.foreign.MemorySegment;
import org.ringwire.infiniband.datagram.Datagram;
import org.ringwire.infiniband.verbs.MemoryRegion;
import org.ringwire.infiniband.verbs.ProtectionDomain;
import org.ringwire.infiniband.verbs.ReceiveRequests;
import org.ringwire.infiniband.verbs.UdQueuePair;
import org.ringwire.infiniband.verbs.types.Access;
import org.ringwire.ring.NativeMemory;

/**
 * The buffers for datagrams of all links, each a receive request: the device writes {@value
 * UdQueuePair#ROUTE_BYTES} bytes of the route before the head. Buffers that links hold, because
 * something before them is missing, are at most half of all: what arrives in order needs none. The
 * thread of the engine only.
 *
 * <p>Anybody who knows the queue pair can send more than a buffer takes: packets of the port may be
 * longer, or it does not look at their length. What is too long for its request may end the queue
 * pair of all links; so the rest has a place, one for all requests, and nobody looks at it.
 */
final class UdReceiver implements AutoCloseable {

  /** What freed buffers are filled with if {@code -Dringwire.poison=true} is set. */
  private static final boolean POISONED = Boolean.getBoolean("ringwire.poison");

  /** Ranges of a request. */
  static final int RANGES = 2;

  private static final int BATCH = 32;
  private static final int LINE = 64;
  private static final int REST = 1 << 16; // no packet is longer

  private final MemorySegment memory;
  private final MemoryRegion region;
  private final int bufferLength;
  private final int[] idle; // that are not posted
  private int idleCount;
  private int held;
  private final long rest; // where what is too long goes
  private final byte[] kinds; // of those that are held, as the next
  private final int[] contentLengths;
  private final ReceiveRequests batch;
  private long received; // counters
  private long receivedBytes;

  /** Allocates and registers so many buffers; posts nothing yet. */
  UdReceiver(ProtectionDomain domain, NativeMemory.Scope scope, int count, int mtu) {
    bufferLength = bufferLength(mtu);
    long buffers = (long) count * bufferLength;
    memory = scope.allocate(buffers + REST, 4096);
    rest = memory.address() + buffers;
    region = domain.register(memory, Access.LOCAL_WRITE);
    idle = new int[count];
    kinds = new byte[count];
    contentLengths = new int[count];
    takeBack();
    batch = new ReceiveRequests(scope.arena(), Math.min(BATCH, count), RANGES);
  }

  /** Bytes of memory for a datagram. */
  static int bufferLength(int mtu) {
    return (UdQueuePair.ROUTE_BYTES + mtu + LINE - 1) / LINE * LINE;
  }

  /** The device knows of no request, and no link has a buffer: posts nothing yet. */
  void takeBack() {
    for (int i = 0; i < idle.length; i++) {
      idle[i] = idle.length - 1 - i;
    }
    idleCount = idle.length;
  }

  /** Posts what is not posted, in chains. */
  void refill(UdQueuePair queuePair) {
    while (idleCount > 0) {
      batch.clear();
      while (idleCount > 0 && !batch.isFull()) {
        int buffer = idle[--idleCount];
        batch.add(buffer);
        batch.addRange(
            memory.address() + (long) buffer * bufferLength, bufferLength, region.localKey());
        batch.addRange(rest, REST, region.localKey());
      }
      int posted = queuePair.postReceive(batch, 0);
      for (int i = batch.count() - 1; i >= posted; i--) {
        idle[idleCount++] = (int) batch.id(i); // full, whatever it has granted
      }
      if (posted < batch.count()) {
        return;
      }
    }
  }

  /** Where the datagrams are. */
  MemorySegment memory() {
    return memory;
  }

  /** Where the head of a datagram is. */
  long offset(int buffer) {
    return (long) buffer * bufferLength + UdQueuePair.ROUTE_BYTES;
  }

  /** Whether all of a datagram is in its buffer. */
  boolean isWhole(int length) {
    return length <= bufferLength - UdQueuePair.ROUTE_BYTES;
  }

  /** Counts a datagram. */
  void count(int length) {
    received++;
    receivedBytes += length;
  }

  /** Whether another buffer may be held. */
  boolean mayHold() {
    return held < idle.length / 2;
  }

  /** A buffer is held, and what it is is noted. */
  void hold(int buffer, Datagram datagram) {
    held++;
    kinds[buffer] = (byte) datagram.kind();
    contentLengths[buffer] = datagram.contentLength();
  }

  /** What is in a buffer that is held. */
  int kind(int buffer) {
    return kinds[buffer];
  }

  /** Bytes of the content in a buffer that is held. */
  int contentLength(int buffer) {
    return contentLengths[buffer];
  }

  /** A buffer that was held is free again. */
  void releaseHeld(int buffer) {
    held--;
    release(buffer);
  }

  /** A buffer is free again. */
  void release(int buffer) {
    if (POISONED) {
      memory.asSlice((long) buffer * bufferLength, bufferLength).fill(NativeMemory.POISON);
    }
    idle[idleCount++] = buffer;
  }

  /** Whether neither the device nor a link has a buffer. */
  boolean hasAll() {
    return idleCount == idle.length;
  }

  /** Buffers. */
  int count() {
    return idle.length;
  }

  /** Datagrams. */
  long received() {
    return received;
  }

  /** Bytes of them, heads included. */
  long receivedBytes() {
    return receivedBytes;
  }

  /** What was posted; counters only. */
  ReceiveRequests posted() {
    return batch;
  }

  /** Takes the memory from the device; the queue pair is gone. */
  @Override
  public void close() {
    region.close();
  }
}
