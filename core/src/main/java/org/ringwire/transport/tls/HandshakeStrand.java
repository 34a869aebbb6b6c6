package org.ringwire.transport.tls;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.HeapRetry;

/**
 * What comes in during a handshake, and the one worker at a time that deals with it, so that no
 * private key is used on a thread that reads. The reading thread only keeps bytes; the worker takes
 * them until there are none, and runs again when more come or when it is woken.
 *
 * <p>All of this is guarded by one lock. The worker that finds the link open and nothing kept sets
 * {@code direct} under that lock: from then on the reading thread, which is told under the same
 * lock, feeds the link itself, and what it feeds comes after what was kept.
 */
final class HandshakeStrand {

  /** Bytes kept while the worker is busy: a HELLO at its longest, and records. */
  private static final int MAX_KEPT = 2 << 20;

  /** What the strand works for. */
  interface Work {
    /** By the worker: gets on with the handshake; there may be no bytes. */
    void advance(MemorySegment bytes);

    /** Whether the handshake is over. */
    boolean isOpen();

    /** The peer breaks a rule. */
    void failed(SSLException failure);

    /** The worker cannot go on: there is no memory, or no stack. */
    void broken(Throwable failure);

    /** There will be no worker: the transport is closed. */
    void abandoned();

    /** The medium has ended, and everything before that was worked on. */
    void ended(@Nullable Throwable cause);
  }

  private final Predicate<Runnable> executor;
  private final Work work;
  private final Runnable resume = this::resumeEnd; // made before: then there may be no heap
  private byte[] kept = {};
  private int keptLength;
  private boolean working; // a worker is on its way, or there
  private boolean running; // it is there
  private boolean again;
  private boolean mediumEnded;
  private @Nullable Throwable mediumCause;
  private boolean over; // it was told that the medium has ended
  private volatile boolean direct; // written with the lock held, only ever set

  /**
   * A strand that rests.
   *
   * @param executor runs a worker, or says that it does not any more
   */
  HandshakeStrand(Predicate<Runnable> executor, Work work) {
    this.executor = executor;
    this.work = work;
  }

  /** Whether the reading thread feeds the link itself. */
  boolean isDirect() {
    return direct;
  }

  /**
   * There is something to do even if nothing comes; any thread.
   *
   * @return false if no worker does it any more: the reading thread has taken over, or the medium
   *     has ended
   */
  synchronized boolean wake() {
    if (direct || mediumEnded) {
      return false;
    }
    again = true;
    start();
    return true;
  }

  private void start() {
    if (!working) {
      boolean starts = false;
      working = true;
      try {
        starts = executor.test(this::run);
      } finally { // without memory it may throw, and run it later nevertheless
        working = starts;
      }
      if (!starts) {
        work.abandoned();
      }
    }
  }

  private void run() {
    synchronized (this) {
      if (!working || running) {
        return;
      }
      running = true;
    }
    try {
      for (MemorySegment bytes = take(); bytes != null; bytes = take()) {
        work.advance(bytes);
      }
    } catch (Throwable e) {
      breakOff(e);
    }
  }

  /** The worker leaves in the middle of something; the end of the medium follows. */
  private void breakOff(Throwable failure) {
    try {
      work.broken(failure);
    } finally {
      synchronized (this) {
        leave();
      }
      HeapRetry.run(this, resume);
    }
  }

  private void leave() {
    working = false;
    running = false;
    notifyAll(); // pairs with awaitWorker()
  }

  private @Nullable MemorySegment take() {
    synchronized (this) {
      if (keptLength > 0 || (again && !mediumEnded)) {
        again = false;
        MemorySegment bytes = MemorySegment.ofArray(kept).asSlice(0, keptLength);
        kept = new byte[0];
        keptLength = 0;
        return bytes;
      }
      direct = work.isOpen();
      leave();
    }
    HeapRetry.run(this, resume); // the medium has told of its end, and does not tell it again
    return null;
  }

  /** Reading thread: leaves input to the worker; false if the handshake is over by now. */
  synchronized boolean keep(MemorySegment memory, long offset, long length) {
    if (work.isOpen() && keptLength + length > MAX_KEPT) {
      awaitWorker();
    }
    if (direct) {
      return false;
    }
    if (keptLength + length > MAX_KEPT) {
      work.failed(new SSLException("the peer sends more than a handshake"));
      return true;
    }
    int sum = keptLength + (int) length;
    if (sum > kept.length) {
      kept = Arrays.copyOf(kept, Math.max(sum, 2 * kept.length));
    }
    MemorySegment.copy(memory, offset, MemorySegment.ofArray(kept), keptLength, length);
    keptLength = sum;
    start();
    return true;
  }

  /**
   * With the lock held, after the handshake: lets the worker finish what is kept, which ends its
   * work, because nothing is added meanwhile.
   */
  private void awaitWorker() {
    boolean interrupted = false;
    while (working) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The medium has ended: {@link Work#ended} follows, when the worker has left if there is one. */
  void mediumEnded(@Nullable Throwable cause) {
    synchronized (this) {
      mediumEnded = true;
      mediumCause = cause;
    }
    resumeEnd();
  }

  /**
   * Tells of the end of the medium if it has come, no worker is there that first reads what came
   * before, and it was not told; any thread.
   */
  void resumeEnd() {
    synchronized (this) {
      if (!mediumEnded || working || over) {
        return;
      }
      over = true;
    }
    boolean told = false;
    try {
      work.ended(mediumCause);
      told = true;
    } finally {
      if (!told) {
        synchronized (this) {
          over = false;
        }
      }
    }
  }
}
