package org.ringwire.engine.request;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ringwire.engine.outbound.Waits;

/**
 * A future of this library, or one that depends on it. A handler that waits for its end is as one
 * that waits for an answer: what it has put off is sent first, and its thread has another one in
 * its place, which can run what ends the future.
 */
public final class CompensatedFuture<T> extends CompletableFuture<T> {

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompensatedFuture<>();
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    aboutToWait();
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (timeout > 0) {
      aboutToWait();
    }
    return super.get(timeout, unit);
  }

  @Override
  public T join() {
    aboutToWait();
    return super.join();
  }

  private void aboutToWait() {
    if (!isDone()) {
      Waits.begin();
    }
  }
}
