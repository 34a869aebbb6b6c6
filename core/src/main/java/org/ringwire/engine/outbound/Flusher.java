package org.ringwire.engine.outbound;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.Pause;

/**
 * The thread that bounds the delay of messages which senders have left in a ring during a burst.
 * One per node. Parked while no pipe is in a burst.
 *
 * <p>A sender that begins a burst adds its pipe and unparks this thread, once per burst. A tick
 * drains each pipe whose ring was not drained since the last tick or that is slower than the
 * aggregation threshold, and lets a pipe's burst end when hardly anything moved; see {@link
 * OutboundPipe#tick} for why no message is forgotten then. Ticks get longer, up to a millisecond,
 * while pipes are drained by their senders anyway.
 */
public final class Flusher {

  /** What a tick of the flusher found. */
  enum Tick {
    /** The burst is over. */
    ENDED,
    /** Slow enough to be drained tick by tick. */
    SLOW,
    /** The medium is full: the transport will say when it is not. */
    BLOCKED,
    /** Drained by its senders; the flusher need not come back soon. */
    BRISK
  }

  private static final long FIRST_TICK_NS = 30_000;
  private static final long BRISK_TICK_NS = 1_000_000;
  private static final long BLOCKED_TICK_NS = 16_000_000;

  private final ConcurrentLinkedQueue<OutboundPipe> armed = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private final Consumer<Throwable> failures;
  private @Nullable OutboundPipe inHand; // the thread's, between its tick and the next
  private @Nullable Throwable failure; // the thread's: not told of yet
  private volatile boolean parked; // whoever begins a burst has to wake the thread
  private volatile boolean begun; // a burst, since the last tick began
  private volatile boolean closed;

  /**
   * @param started called first by the thread, with itself
   * @param failures hears what has gone wrong with a pipe
   */
  public Flusher(String name, Consumer<Thread> started, Consumer<Throwable> failures) {
    this.failures = failures;
    thread =
        Thread.ofPlatform()
            .name(name)
            .daemon()
            .inheritInheritableThreadLocals(false)
            .unstarted(() -> {
              started.accept(Thread.currentThread());
              run();
            });
  }

  public void start() {
    thread.start();
  }

  /** Any thread: a burst has begun on this pipe. */
  public void arm(OutboundPipe pipe) {
    armed.add(pipe);
    begun = true;
    if (parked) { // volatile: either we see the flag or the flusher's re-check sees the burst
      LockSupport.unpark(thread);
    }
  }

  /** Any thread: a pipe that was blocked moves again. */
  public void wake() {
    if (!armed.isEmpty()) {
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (!closed) {
      try {
        tickUntilClosed();
      } catch (Throwable e) {
        failure = e; // and nothing else, for which there might be no memory either
      }
    }
  }

  private void tickUntilClosed() {
    long tickNs = FIRST_TICK_NS;
    Throwable untold = failure;
    if (untold != null) {
      failure = null;
      tell(untold);
      Pause.idle(this, BRISK_TICK_NS);
    }
    rearm();
    while (!closed) {
      boolean _ = Thread.interrupted(); // left behind by a handler, it would end every park at once
      if (armed.isEmpty()) {
        parked = true;
        if (armed.isEmpty() && !closed) {
          Pause.idle(this);
        }
        parked = false;
        tickNs = FIRST_TICK_NS;
        continue;
      }
      begun = false; // first: what begins from here on may be missed by this tick
      long longestNs = tickAll();
      tickNs = Math.clamp(2 * tickNs, FIRST_TICK_NS, Math.max(FIRST_TICK_NS, longestNs));
      if (!armed.isEmpty()) {
        awaitTick(tickNs);
      }
    }
  }

  /** Where all pipes are blocked, a burst that begins on another one is not to wait for them. */
  private void awaitTick(long tickNs) {
    if (tickNs <= BRISK_TICK_NS) {
      Pause.idle(this, tickNs);
      return;
    }
    parked = true;
    if (!begun && !closed) {
      Pause.idle(this, tickNs);
    }
    parked = false;
  }

  /** Whether whoever begins a burst wakes the thread; for tests. */
  boolean isParked() {
    return parked;
  }

  /** Ticks every pipe; how long the next tick may be away at most. */
  private long tickAll() {
    long longestNs = BLOCKED_TICK_NS;
    int count = armed.size();
    for (int index = 0; index < count; index++) {
      OutboundPipe pipe = armed.poll();
      if (pipe == null) {
        break;
      }
      inHand = pipe;
      Tick tick = tick(pipe);
      if (tick == Tick.ENDED) {
        inHand = null;
      } else {
        rearm();
        longestNs = Math.min(longestNs, longest(tick));
      }
    }
    return longestNs;
  }

  private void rearm() {
    OutboundPipe pipe = inHand;
    if (pipe != null) {
      armed.add(pipe);
      inHand = null; // once it is there
    }
  }

  /** What goes wrong concerns one pipe, which is looked at again; all others wait for this, too. */
  private Tick tick(OutboundPipe pipe) {
    try {
      return pipe.tick();
    } catch (RuntimeException | Error e) {
      tell(e);
      return Tick.BLOCKED;
    }
  }

  private void tell(Throwable defect) {
    try {
      failures.accept(defect);
    } catch (RuntimeException | Error e) {
      // there is no memory to tell; the pipes still wait for this thread
    }
  }

  private static long longest(Tick tick) {
    return switch (tick) {
      case ENDED, BLOCKED -> BLOCKED_TICK_NS;
      case BRISK -> BRISK_TICK_NS;
      case SLOW -> FIRST_TICK_NS;
    };
  }

  /** Ends the thread. */
  public void close() throws InterruptedException {
    closed = true;
    LockSupport.unpark(thread);
    thread.join(TimeUnit.SECONDS.toMillis(5));
  }
}
