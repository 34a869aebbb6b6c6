package org.ringwire.engine.inbound.workers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.Awaiting;

/**
 * A thread starts virtual ones while no native thread can be made, and none when one can be made
 * again; says when all have begun. There is no more address space than for a few stacks.
 */
final class FewThreadsProgram {

  record Ask(int number) {}

  private static final int COUNT = 10;
  private static final long SHORT_STACK = 16 << 20;
  private static final long RESERVE = 64 << 20; // for what else wants memory

  private static final AtomicInteger BEGUN = new AtomicInteger();
  private static final CountDownLatch OVER = new CountDownLatch(1);
  private static final CountDownLatch RESERVED = new CountDownLatch(1);

  private FewThreadsProgram() {}

  public static void main(String[] args) throws Exception {
    try (TestNodes nodes = new TestNodes("loopback");
        ExecutorService reader = Executors.newSingleThreadExecutor()) {
      Node node = nodes.open(1, settings -> settings.keepAlive(Duration.ofMillis(600)));
      node.handle(Ask.class, Dispatch.BLOCKING, (_, _) -> {}); // which needs them some day
      int none = reader.submit(() -> start(0)).get();
      List<Thread> all = new ArrayList<>();
      Thread reserve = waiting(RESERVED, RESERVE);
      reserve.start();
      useUp(all, 0);
      useUp(all, SHORT_STACK);
      RESERVED.countDown();
      reserve.join();
      int started = none + reader.submit(() -> start(COUNT)).get();
      OVER.countDown();
      for (Thread thread : all) {
        thread.join();
      }
      Awaiting.await("all have begun", () -> BEGUN.get() == started);
      System.out.println("all have begun");
    }
    System.exit(0);
  }

  private static Thread waiting(CountDownLatch end, long stack) {
    return new Thread(
        null,
        () -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        "waiting",
        stack);
  }

  private static void useUp(List<Thread> all, long stack) {
    try {
      while (true) {
        Thread thread = waiting(OVER, stack);
        thread.start();
        all.add(thread);
      }
    } catch (OutOfMemoryError e) {
      // none left
    }
  }

  /** How many have not thrown. */
  private static int start(int count) {
    int started = 0;
    for (int i = 0; i < count; i++) {
      try {
        VirtualThreads.start("one", null, BEGUN::incrementAndGet);
        started++;
      } catch (OutOfMemoryError e) {
        // those that begin are others
      }
    }
    return started;
  }
}
