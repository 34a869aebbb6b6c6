package org.ringwire.transport.tls;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.HeapRetry;

/**
 * What comes in during a handshake, and the one worker at a time that deals with it, so that no
 * private key is used on a thread that reads. The reading thread only keeps bytes; the worker takes
 * them until there are none, and runs again when more come or when it is woken.
 *
 * <p>Whoever the peer is, it may send what it likes, and it need not wait for the handshake's end
 * with what follows it. So little is kept: {@link #MAX_KEPT}, and as much again that the worker is
 * at. The medium reads no more than there is room for ({@link #landing}), and stops where there is
 * none, which the peer feels as back pressure, until the worker has taken what is kept. Once the
 * link is open nothing is added at all until the worker has left.
 *
 * <p>All of this is guarded by one lock. The worker that finds the link open and nothing kept sets
 * {@code direct} under that lock: from then on the reading thread, which is told under the same
 * lock, feeds the link itself, and what it feeds comes after what was kept.
 */
final class HandshakeStrand {

  /** Bytes kept while the worker is busy: most flights of a handshake are shorter. */
  static final int MAX_KEPT = 16 << 10;

  /** Bytes that the medium reads at a time. */
  private static final int LANDING = 4 << 10;

  private static final ByteBuffer NO_ROOM = ByteBuffer.allocate(0);

  /** What the strand works for. */
  interface Work {
    /** By the worker: gets on with the handshake; there may be no bytes. */
    void advance(MemorySegment bytes);

    /** Whether the handshake is over. */
    boolean isOpen();

    /** The medium, which was told that there is no room, may read again. */
    void resumeReading();

    /** The worker cannot go on: there is no memory, or no stack. */
    void broken(Throwable failure);

    /** There will be no worker: the transport is closed. */
    void abandoned();

    /** The medium has ended, and everything before that was worked on. */
    void ended(@Nullable Throwable cause);
  }

  private final Predicate<Runnable> executor;
  private final Work work;
  private final Runnable worker = new LinkTasks.Worker(this);
  private final Runnable resume =
      new LinkTasks.EndOfMedium(this); // before: then there may be no heap
  private @Nullable ByteBuffer landing; // the reading thread only
  private byte[] kept = {};
  private int keptLength;
  private boolean stopped; // the medium was told that there is no room
  private boolean working; // a worker is on its way, or there
  private @Nullable Thread running; // it, once it is there
  private boolean dismissed; // none comes any more
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
    if (!working && !dismissed) {
      boolean starts = false;
      working = true;
      try {
        starts = executor.test(worker);
      } finally { // without memory it may throw, and run it later nevertheless
        working = starts;
      }
      if (!starts) {
        work.abandoned();
      }
    }
  }

  /** By the executor. */
  void work() {
    synchronized (this) {
      if (!working || running != null) {
        return;
      }
      running = Thread.currentThread();
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
    running = null;
    notifyAll(); // pairs with awaitRoom()
  }

  private @Nullable MemorySegment take() {
    MemorySegment bytes = null;
    boolean resumes;
    synchronized (this) {
      if (keptLength > 0 || (again && !mediumEnded)) {
        again = false;
        bytes = MemorySegment.ofArray(kept).asSlice(0, keptLength);
        kept = new byte[0];
        keptLength = 0;
        notifyAll(); // pairs with awaitRoom()
      } else {
        direct = work.isOpen();
        leave();
      }
      resumes = stopped;
      stopped = false;
    }
    if (resumes) {
      work.resumeReading();
    }
    if (bytes == null) {
      HeapRetry.run(this, resume); // the medium has told of its end, and does not tell it again
    }
    return bytes;
  }

  /**
   * No worker comes any more, but one that is there goes on, and tells of the medium's end when it
   * leaves. What one on its way was to do is dropped; any thread.
   *
   * @param endNs how long it is tried where there is no heap, as {@link System#nanoTime}
   */
  void endWorkers(long endNs) {
    synchronized (this) {
      working = running != null; // one that comes too late looks at it
      notifyAll(); // pairs with awaitRoom()
    }
    HeapRetry.runUntil(endNs, this, resume);
  }

  /**
   * Leaves something to the worker that is there, which looks once more before it leaves; any
   * thread.
   *
   * @return false if none is there, or the caller is it
   */
  synchronized boolean leaveToWorker() {
    if (running == null || running.equals(Thread.currentThread())) {
      return false;
    }
    again = true;
    return true;
  }

  /**
   * No worker comes any more, whether one is on its way or not; any thread.
   *
   * @return whether the caller is alone with the link from now on: nothing was dismissed if a
   *     worker is there, or the reading thread has taken over
   */
  synchronized boolean dismiss() {
    if (running != null || direct) {
      return false;
    }
    dismissed = true;
    working = false; // one that comes too late looks at it
    notifyAll(); // pairs with awaitRoom()
    return true;
  }

  // The reading thread.

  /**
   * Where the medium puts what comes next, for {@link #keep}.
   *
   * @return a buffer, empty if nothing is to be read until {@link Work#resumeReading}; null if the
   *     reading thread has taken over
   */
  @Nullable ByteBuffer landing() {
    int room;
    synchronized (this) {
      if (direct) {
        landing = null;
        return null;
      }
      room = work.isOpen() ? 0 : MAX_KEPT - keptLength;
      stopped = room == 0; // then a worker is there, or on its way, and takes it back
    }
    if (room == 0) {
      return NO_ROOM;
    }
    ByteBuffer current = landing;
    if (current == null) {
      current = ByteBuffer.allocate(LANDING);
      landing = current;
    }
    return current.clear().limit(Math.min(room, LANDING));
  }

  /** What has come there. */
  MemorySegment landed(int length) {
    return MemorySegment.ofBuffer(Objects.requireNonNull(landing).flip()).asSlice(0, length);
  }

  /**
   * Leaves input to the worker. Waits for it while there is no room, which only happens below a
   * medium that does not ask where to put what comes.
   *
   * @return number of bytes; those behind them are for the reading thread, which has taken over
   */
  synchronized long keep(MemorySegment memory, long offset, long length) {
    long done = 0;
    while (done < length && awaitRoom()) {
      int part = (int) Math.min(MAX_KEPT - keptLength, length - done);
      if (part == 0) {
        return length; // the worker broke off, and so does the link
      }
      int sum = keptLength + part;
      if (sum > kept.length) {
        kept = Arrays.copyOf(kept, Math.min(MAX_KEPT, Math.max(sum, 2 * kept.length)));
      }
      MemorySegment.copy(memory, offset + done, MemorySegment.ofArray(kept), keptLength, part);
      keptLength = sum;
      done += part;
      start();
    }
    return done;
  }

  /** Returns false if the reading thread has taken over. */
  private boolean awaitRoom() {
    boolean interrupted = false;
    while (working && keptLength == MAX_KEPT) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !direct;
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
