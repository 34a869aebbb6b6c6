package org.ringwire.engine.outbound;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.ring.OutboundRing;
import org.ringwire.wire.FrameLayout;

/**
 * A program: threads commit to a ring that gives its memory back as soon as it is empty, which may
 * be before they have returned from their commit. Prints what disturbed them.
 */
public final class LateCommits {

  private static final int RESTS = 300;

  /** For fewer of them, where a processor is rarely free for the thread that brings them about. */
  private static final long ENOUGH_NS = 2_000_000_000L;

  private volatile boolean over;
  private final AtomicLong interrupts = new AtomicLong();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  private LateCommits() {}

  /** Without arguments. */
  public static void main(String[] args) throws InterruptedException {
    new LateCommits().run();
  }

  private void run() throws InterruptedException {
    RestingPipe resting = new RestingPipe();
    OutboundRing ring = resting.ring;
    OutboundPipe pipe = resting.pipe;
    Thread[] threads = RestingPipe.start(3, () -> commit(ring));
    int rests = 0;
    long beganNs = System.nanoTime();
    while (rests < RESTS && (rests == 0 || System.nanoTime() - beganNs < ENOUGH_NS)) {
      pipe.drain();
      rests += pipe.rest() ? 1 : 0;
    }
    over = true;
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(
        "rests=" + rests + " interrupts=" + interrupts.get() + " failures=" + failures);
  }

  private void commit(OutboundRing ring) {
    while (!over) {
      long position = ring.tryClaim(RestingPipe.LENGTH, Long.MAX_VALUE);
      if (position < 0) {
        Thread.onSpinWait();
        continue;
      }
      try {
        ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, RestingPipe.LENGTH));
      } catch (Throwable e) {
        failures.add(e);
      }
      if (Thread.interrupted()) {
        interrupts.incrementAndGet();
      }
    }
  }
}
