package org.ringwire.engine.outbound;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.ring.RingMemory;
import org.ringwire.wire.FrameLayout;

/**
 * A program: threads look for what they may write, without the role, into a ring that gives its
 * memory back and takes new memory all the time. Prints what disturbed them.
 */
public final class LateLooks {

  /** Longer than pieces that rings share: the memory goes each time. */
  private static final int CAPACITY = 128 << 10;

  private static final int LENGTH = 64;
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
    RingMemory source =
        new RingMemory("looks", arena -> arena.allocate(CAPACITY, 64), CAPACITY, () -> {});
    OutboundRing ring = OutboundRing.resting(source);
    ReceiveBufferPool buffers = new ReceiveBufferPool(0);
    OutboundPipe pipe =
        SinkLink.pipe(new OutboundStream(new ControlQueue(), () -> new byte[0], buffers));
    pipe.ring(ring);
    pipe.open(new SinkLink());
    Thread[] threads = new Thread[3];
    for (int index = 0; index < threads.length; index++) {
      threads[index] = Thread.ofPlatform().start(() -> look(pipe));
    }
    int rests = 0;
    for (int count = 0; count < RESTS; count++) {
      long position = ring.tryClaim(LENGTH, Long.MAX_VALUE);
      long before = looks.get();
      while (looks.get() < before + threads.length) {
        Thread.onSpinWait();
      }
      ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, LENGTH));
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
