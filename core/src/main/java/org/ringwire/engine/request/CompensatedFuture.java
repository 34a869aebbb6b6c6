package org.ringwire.engine.request;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.outbound.Waits;

/**
 * A future of this library, or one that depends on it. A handler that waits for its end is as one
 * that waits for an answer: what it has put off is sent first, others run what ends the future, and
 * if that takes its time the thread has another one in its place. One that runs on a thread that
 * reads may not wait: mostly that thread would have to read what ends the future.
 */
public final class CompensatedFuture<T> extends CompletableFuture<T> {

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompensatedFuture<>();
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    if (isDone()) {
      return super.get();
    }
    requireMayWait();
    try {
      beginWait();
      return super.get();
    } finally {
      Waits.end();
    }
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    long longestNs = unit.toNanos(timeout);
    if (longestNs <= 0 || isDone()) {
      return super.get(timeout, unit);
    }
    requireMayWait();
    long beganNs = System.nanoTime();
    try {
      if (longestNs > Waits.GRACE_NS) {
        beginWait();
      } else {
        boolean _ = Waits.beginBriefly();
      }
      return super.get(longestNs - (System.nanoTime() - beganNs), TimeUnit.NANOSECONDS);
    } finally {
      Waits.end();
    }
  }

  @Override
  public T join() {
    if (isDone()) {
      return super.join();
    }
    requireMayWait();
    try {
      beginWait();
      return super.join();
    } finally {
      Waits.end();
    }
  }

  private static void requireMayWait() {
    if (SendContext.current().isInline()) {
      throw new IllegalStateException(
          "an inline handler may not wait for a future: register it as POOLED or BLOCKING, or say"
              + " with thenAccept what follows");
    }
  }

  private void beginWait() {
    if (Waits.beginBriefly() && !isDoneSoon()) {
      Waits.begin();
    }
  }

  private boolean isDoneSoon() {
    try {
      super.get(Waits.GRACE_NS, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // for what follows, which knows what it means
    } catch (ExecutionException | CancellationException | TimeoutException e) {
      // what follows says so, or waits on
    }
    return isDone();
  }
}
