package org.ringwire.engine.request;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.Pause;

/**
 * Tells a future what its request has ended with, also where there is hardly any memory: a future
 * that is never completed keeps whoever waits for it. Any thread; runs what users have attached.
 */
final class FutureOutcome {

  private static final long OUT_OF_MEMORY_PAUSE_NS = 1_000_000;

  private FutureOutcome() {}

  /**
   * On the thread for it, which has nothing better to do: tries again until the future has its few
   * bytes. There is no other bound, since nobody would come by this future again, and whoever waits
   * for it would do so for ever; without those bytes nothing else in the process gets on either.
   */
  static void completeOnce(
      CompletableFuture<Object> future,
      @Nullable Object response,
      @Nullable RuntimeException failure) {
    while (!tryComplete(future, response, failure)) {
      Pause.starved(future, OUT_OF_MEMORY_PAUSE_NS);
    }
  }

  /** False if there is no memory for it. */
  static boolean tryComplete(
      CompletableFuture<Object> future,
      @Nullable Object response,
      @Nullable RuntimeException failure) {
    try {
      complete(future, response, failure);
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private static void complete(
      CompletableFuture<Object> future,
      @Nullable Object response,
      @Nullable RuntimeException failure) {
    if (failure != null) {
      future.completeExceptionally(failure);
    } else {
      future.complete(response);
    }
  }
}
