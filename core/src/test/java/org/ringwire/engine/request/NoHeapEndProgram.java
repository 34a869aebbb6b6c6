package org.ringwire.engine.request;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.idle.Pause;
import org.ringwire.testing.HeapShortage;

/**
 * Ends a request that a thread waits for, and one of a future, for the first time in the life of
 * its process and while that has no heap; says whether their outcome was told.
 */
final class NoHeapEndProgram {

  private static final long WITHOUT_NS = 1_000_000_000L;
  private static final long PART_NS = WITHOUT_NS / 5;

  private final PendingRequests requests =
      new PendingRequests(
          16,
          1,
          _ -> {
            throw new RejectedExecutionException("no thread");
          });
  private final MessagingException cause = new MessagingException("the link has ended");
  private final Object[] own = new Object[1 << 20];
  private volatile boolean begins;

  private NoHeapEndProgram() {}

  public static void main(String[] args) throws InterruptedException {
    new NoHeapEndProgram().run();
  }

  private void run() throws InterruptedException {
    CompletableFuture<Object> future = new CompletableFuture<>();
    long waited = open(new Thread(() -> {}), null);
    long promised = open(null, future);
    Pause.blocked(this, 1); // as all threads do that wait: a class needs memory, too
    Thread ender =
        new Thread(() -> {
          while (!begins) {
            Thread.onSpinWait();
          }
          end(waited);
          end(promised);
        });
    ender.start();
    begins = true;
    HeapShortage.last(WITHOUT_NS);
    ender.join();
    for (int sweep = 0; sweep < 1000 && !future.isDone(); sweep++) { // as the node does
      requests.expire(System.nanoTime(), _ -> 2, _ -> {});
    }
    System.out.println("thread: " + requests.slot(waited).getAsBoolean());
    System.out.println("future: " + future.isCompletedExceptionally());
  }

  private long open(@Nullable Thread waiter, @Nullable CompletableFuture<Object> future) {
    return requests.open(this, Object.class, Long.MAX_VALUE, waiter, future);
  }

  /** As those who find links and deadlines at an end do again and again. */
  private void end(long id) {
    long beganNs = System.nanoTime();
    while (System.nanoTime() - beganNs < PART_NS) {
      Thread.onSpinWait();
    }
    takeOwn();
    boolean over = false;
    while (!over) {
      try {
        boolean _ = requests.end(id, null, cause);
        over = true;
      } catch (OutOfMemoryError e) {
        // nobody has won the right to end it, or will be found to have won it
      }
    }
  }

  /** What this thread may allocate without asking for more. */
  private void takeOwn() {
    long beganNs = System.nanoTime();
    try {
      for (int i = 0; i < own.length && System.nanoTime() - beganNs < PART_NS; i++) {
        own[i] = new byte[1];
      }
    } catch (OutOfMemoryError e) {
      // as it should be
    }
  }
}
