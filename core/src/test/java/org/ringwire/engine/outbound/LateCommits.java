package org.ringwire.engine.outbound;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.ring.RingMemory;
import org.ringwire.wire.FrameLayout;

/**
 * A program: threads commit to a ring that gives its memory back as soon as it is empty, which may
 * be before they have returned from their commit. Prints what they were told.
 */
public final class LateCommits {

  /** Longer than pieces that rings share: the memory goes each time. */
  private static final int CAPACITY = 128 << 10;

  private static final int LENGTH = 64;
  private static final int RESTS = 300;

  private volatile boolean over;
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  private LateCommits() {}

  /** Without arguments. */
  public static void main(String[] args) throws InterruptedException {
    new LateCommits().run();
  }

  private void run() throws InterruptedException {
    RingMemory source =
        new RingMemory("commits", arena -> arena.allocate(CAPACITY, 64), CAPACITY, () -> {});
    OutboundRing ring = OutboundRing.resting(source);
    ReceiveBufferPool buffers = new ReceiveBufferPool(0);
    OutboundPipe pipe =
        SinkLink.pipe(new OutboundStream(new ControlQueue(), () -> new byte[0], buffers));
    pipe.ring(ring);
    pipe.open(new SinkLink());
    Thread[] threads = new Thread[3];
    for (int index = 0; index < threads.length; index++) {
      threads[index] = Thread.ofPlatform().start(() -> commit(ring));
    }
    for (int rests = 0; rests < RESTS; ) {
      pipe.drain();
      rests += pipe.rest() ? 1 : 0;
    }
    over = true;
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("failures=" + failures);
  }

  private void commit(OutboundRing ring) {
    while (!over) {
      long position = ring.tryClaim(LENGTH, Long.MAX_VALUE);
      if (position < 0) {
        Thread.onSpinWait();
        continue;
      }
      try {
        ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, LENGTH));
      } catch (Throwable e) {
        failures.add(e);
      }
    }
  }
}
