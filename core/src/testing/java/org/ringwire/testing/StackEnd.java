package org.ringwire.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs something where the stacks of threads end, at many places in it. */
public final class StackEnd {

  private static final int THREADS = 2;
  private static final int ROUNDS = 300;
  private static final int PLACES = 16;
  private static final long STACK_BYTES = 200 << 10;
  private static final long PATIENCE_MS = TimeUnit.SECONDS.toMillis(30);

  private StackEnd() {}

  /** Runs an action at each depth of a stack, time and again; fails if that comes to no end. */
  public static void runAt(Runnable action) throws InterruptedException {
    action.run(); // classes that are initialised where a stack ends are lost for good
    List<Thread> threads = new ArrayList<>();
    for (int index = 0; index < THREADS; index++) {
      Thread thread = new Thread(null, () -> runOften(action), "deep", STACK_BYTES);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join(PATIENCE_MS);
      assertThat(thread.isAlive()).as("a deep thread is still inside").isFalse();
    }
  }

  private static void runOften(Runnable action) {
    for (int round = 0; round < ROUNDS; round++) {
      try {
        long _ = runBelow(round % PLACES, action);
      } catch (StackOverflowError e) {
        // as it is meant to be
      }
    }
  }

  /** Frames of another length above the others, so that the end is elsewhere in the action. */
  private static long runBelow(int above, Runnable action) {
    return above == 0 ? runDeeper(action) : runBelow(above - 1, above, above, action);
  }

  private static long runBelow(int above, long one, long two, Runnable action) {
    return one + two + runBelow(above, action);
  }

  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private static int runDeeper(Runnable action) {
    action.run();
    return 1 + runDeeper(action);
  }
}
