package org.ringwire.transport;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends a stream of bytes, each a function of its position, the way the engine does: one thread at
 * a time has the role of writer, and whoever finds it taken leaves the bytes to its owner.
 */
public final class PatternSource implements OutboundSource, AutoCloseable {

  private static final int PERIOD = 251 * 256;
  private static final long TIMEOUT_S = 60;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final ByteBuffer[] views;
  private final int rangeLength;
  private final ReentrantLock role = new ReentrantLock();
  private final ReentrantLock state = new ReentrantLock();
  private final Condition progress = state.newCondition();
  private long offered;
  private long sent;
  private long completed;
  private boolean blocked;
  private boolean unfinished; // the last write: what is sent may still wait in the link
  private @Nullable Throwable failure;

  /**
   * A source of ranges.
   *
   * @param rangeCount ranges offered at a time, at most
   * @param rangeLength bytes of a range, at most
   */
  public PatternSource(int rangeCount, int rangeLength) {
    this.rangeLength = rangeLength;
    memory = arena.allocate(PERIOD + (long) rangeLength);
    for (long i = 0; i < memory.byteSize(); i++) {
      memory.set(JAVA_BYTE, i, at(i));
    }
    views = new ByteBuffer[rangeCount];
    for (int i = 0; i < rangeCount; i++) {
      views[i] = memory.asByteBuffer();
    }
  }

  /** The byte at a position of the stream. */
  public static byte at(long position) {
    long low = position % PERIOD;
    return (byte) (low % 251 + (low >> 8));
  }

  /** Offers more bytes and writes what can be written; does not wait. */
  public void offer(Link link, long bytes) throws IOException {
    state.lock();
    try {
      offered += bytes;
    } finally {
      state.unlock();
    }
    drain(link);
  }

  /** Writes what can be written, if nobody else does. */
  public void drain(Link link) throws IOException {
    while (hasWork() && role.tryLock()) {
      try {
        boolean all = link.write(this);
        setBlocked(!all);
        setUnfinished(!all);
      } finally {
        role.unlock();
      }
    }
  }

  /** For {@link LinkHandler#writable}: goes on; a failure is kept for {@link #awaitSent}. */
  public void resume(Link link) {
    role.lock(); // the write that returned false may not have returned yet
    try {
      setBlocked(false);
    } finally {
      role.unlock();
    }
    try {
      drain(link);
    } catch (IOException e) {
      state.lock();
      try {
        failure = e;
        progress.signalAll();
      } finally {
        state.unlock();
      }
    }
  }

  private boolean hasWork() {
    state.lock();
    try {
      return !blocked && (sent < offered || unfinished);
    } finally {
      state.unlock();
    }
  }

  private void setBlocked(boolean value) {
    state.lock();
    try {
      blocked = value;
    } finally {
      state.unlock();
    }
  }

  private void setUnfinished(boolean value) {
    state.lock();
    try {
      unfinished = value;
    } finally {
      state.unlock();
    }
  }

  /** Whether the medium was full at the last write. */
  public boolean isBlocked() {
    state.lock();
    try {
      return blocked;
    } finally {
      state.unlock();
    }
  }

  /** Bytes reported as sent. */
  public long sent() {
    state.lock();
    try {
      return sent;
    } finally {
      state.unlock();
    }
  }

  /** Waits until all that was offered was taken, and may be reused, as long as some of it is. */
  public void awaitSent() {
    long leftNs = TimeUnit.SECONDS.toNanos(TIMEOUT_S);
    state.lock();
    try {
      long before = sent + completed;
      while ((sent < offered || completed < sent) && failure == null) {
        if (sent + completed != before) {
          before = sent + completed;
          leftNs = TimeUnit.SECONDS.toNanos(TIMEOUT_S);
        }
        if (leftNs <= 0) {
          throw new AssertionError("sent=" + sent + " offered=" + offered + " blocked=" + blocked);
        }
        leftNs = progress.awaitNanos(leftNs);
      }
      if (failure != null) {
        throw new AssertionError(failure);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      state.unlock();
    }
  }

  @Override
  public long next(OutboundRanges ranges) {
    state.lock();
    try {
      long position = sent;
      for (int i = 0; i < views.length && position < offered && ranges.hasRoom(); i++) {
        long length = Math.min(rangeLength, offered - position);
        ranges.add(memory, views[i], position % PERIOD, length);
        position += length;
      }
      return ranges.bytes();
    } finally {
      state.unlock();
    }
  }

  @Override
  public void sent(long bytes) {
    state.lock();
    try {
      sent += bytes;
      progress.signalAll();
    } finally {
      state.unlock();
    }
  }

  @Override
  public void completed(long bytes) {
    state.lock();
    try {
      completed += bytes;
      progress.signalAll();
    } finally {
      state.unlock();
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
