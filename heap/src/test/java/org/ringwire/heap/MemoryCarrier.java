package org.ringwire.heap;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;

/**
 * Carries blocks between nodes of one process: each carrier has a thread that writes into announced
 * memory, one block after the other, as a queue pair does.
 */
final class MemoryCarrier implements BlockCarrier, AutoCloseable {
  private static final Map<Long, Announced> MEMORY = new ConcurrentHashMap<>();
  private static final AtomicLong NUMBERS = new AtomicLong();

  final AtomicInteger announcements = new AtomicInteger();
  final AtomicLong announcedBytes = new AtomicLong();
  final AtomicLong mostAnnouncedBytes = new AtomicLong();
  final AtomicInteger submissions = new AtomicInteger();
  final AtomicInteger blocks = new AtomicInteger();
  final AtomicLong blockBytes = new AtomicLong();

  /** Runs before each write, on the thread that writes. */
  volatile Runnable beforeWrite = () -> {};

  /** Whether no memory can be announced. */
  volatile boolean isPoor;

  /** A descriptor that was opened last. */
  volatile byte @Nullable [] opened;

  private final int nodeId;
  private final String kind;
  private final ExecutorService device =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());

  MemoryCarrier(int nodeId) {
    this(nodeId, "memory of the process");
  }

  MemoryCarrier(int nodeId, String kind) {
    this.nodeId = nodeId;
    this.kind = kind;
  }

  private final class Announced implements Announcement {
    private final long number = NUMBERS.incrementAndGet();
    private final MemorySegment memory;
    private final Listener listener;
    private boolean isRevoked;

    Announced(MemorySegment memory, Listener listener) {
      this.memory = memory;
      this.listener = listener;
    }

    @Override
    public byte[] descriptor() {
      return ByteBuffer.allocate(2 * Long.BYTES).putLong(nodeId).putLong(number).array();
    }

    synchronized void write(long offset, MemorySegment block, int writer, int tag) {
      if (isRevoked) {
        throw new MessagingException("the memory was revoked");
      }
      MemorySegment.copy(block, 0, memory, offset, block.byteSize());
      listener.written(writer, tag);
    }

    @Override
    public synchronized void close() {
      if (!isRevoked) {
        isRevoked = true;
        MEMORY.remove(number);
        announcedBytes.addAndGet(-memory.byteSize());
      }
    }
  }

  @Override
  public String kind() {
    return kind;
  }

  @Override
  public Announcement announce(MemorySegment memory, Listener listener) {
    if (isPoor) {
      throw new MessagingException("no memory may be locked");
    }
    Announced announced = new Announced(memory, listener);
    MEMORY.put(announced.number, announced);
    announcements.incrementAndGet();
    long now = announcedBytes.addAndGet(memory.byteSize());
    mostAnnouncedBytes.accumulateAndGet(now, Math::max);
    return announced;
  }

  @Override
  public Target open(int peer, byte[] descriptor) {
    ByteBuffer words = ByteBuffer.wrap(descriptor);
    if (descriptor.length != 2 * Long.BYTES || words.getLong() != peer) {
      throw new IllegalArgumentException("no memory of node " + peer);
    }
    opened = descriptor;
    return new ToMemory(words.getLong());
  }

  private final class ToMemory implements Target {
    private final long number;

    ToMemory(long number) {
      this.number = number;
    }

    @Override
    public void write(long offset, MemorySegment block, int tag, Duration timeout) {
      try {
        Object _ =
            writeAsync(offset, block, tag)
                .toCompletableFuture()
                .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .join();
      } catch (CompletionException e) {
        throw new MessagingException("not written: " + e.getCause(), e.getCause());
      }
    }

    @Override
    public CompletionStage<Void> writeAsync(long offset, MemorySegment block, int tag) {
      submissions.incrementAndGet();
      return CompletableFuture.runAsync(
          () -> {
            beforeWrite.run();
            Announced announced = MEMORY.get(number);
            if (announced == null) {
              throw new MessagingException("the memory was revoked");
            }
            blocks.incrementAndGet();
            blockBytes.addAndGet(block.byteSize());
            announced.write(offset, block, nodeId, tag);
          },
          device);
    }
  }

  @Override
  public void close() {
    device.shutdownNow();
  }
}
