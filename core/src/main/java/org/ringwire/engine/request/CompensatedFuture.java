package org.ringwire.engine.request;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ringwire.engine.outbound.Waits;

/**
 * A future of this library, or one that depends on it. A handler that waits for its end is as one
 * that waits for an answer: what it has put off is sent first, others run what ends the future, and
 * if that takes its time the thread has another one in its place.
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
    try {
      beginWait();
      return super.join();
    } finally {
      Waits.end();
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
