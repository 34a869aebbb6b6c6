package org.ringwire.engine.outbound;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.ring.OutboundRing;
import org.ringwire.wire.FrameLayout;

/**
 * A program: threads look for what they may write, without the role, into a ring that gives its
 * memory back and takes new memory all the time. Prints what disturbed them.
 */
public final class LateLooks {

  private static final int RESTS = 300;

  private volatile boolean over;
  private final AtomicLong looks = new AtomicLong();
  private final AtomicLong interrupts = new AtomicLong();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  private LateLooks() {}

  /** Without arguments. */
  public static void main(String[] args) throws InterruptedException {
    new LateLooks().run();
  }

  private void run() throws InterruptedException {
    RestingPipe resting = new RestingPipe();
    OutboundRing ring = resting.ring;
    OutboundPipe pipe = resting.pipe;
    Thread[] threads = RestingPipe.start(3, () -> look(pipe));
    int rests = 0;
    for (int count = 0; count < RESTS; count++) {
      long position = ring.tryClaim(RestingPipe.LENGTH, Long.MAX_VALUE);
      long before = looks.get();
      while (looks.get() < before + threads.length) {
        Thread.onSpinWait();
      }
      ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, RestingPipe.LENGTH));
      pipe.drain();
      rests += pipe.rest() ? 1 : 0;
    }
    over = true;
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(
        (rests > 0 ? "rested" : "never rested")
            + " interrupts="
            + interrupts.get()
            + " failures="
            + failures);
  }

  private void look(OutboundPipe pipe) {
    while (!over) {
      try {
        pipe.drainLeft();
      } catch (Throwable e) {
        failures.add(e);
      }
      if (Thread.interrupted()) {
        interrupts.incrementAndGet();
      }
      looks.incrementAndGet();
    }
  }
}
