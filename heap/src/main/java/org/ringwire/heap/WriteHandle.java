package org.ringwire.heap;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A graph that was written and may not have arrived yet. Any thread. */
public final class WriteHandle {
  private final HeapChannel channel;
  private final CompletableFuture<?> outcome;

  WriteHandle(HeapChannel channel, CompletableFuture<?> outcome) {
    this.channel = channel;
    this.outcome = outcome;
  }

  HeapChannel channel() {
    return channel;
  }

  CompletableFuture<?> outcome() {
    return outcome;
  }

  /**
   * The same as a future.
   *
   * @return ends with null when the graph is in the receiver's memory, or exceptionally with what
   *     {@link HeapChannel#waitHandle} throws; dependents run on a thread of the node's handlers,
   *     or, with a carrier, on one of its own. Cancelling it changes nothing for the graph
   */
  public CompletableFuture<Void> future() {
    return outcome.handle((arrived, failure) -> {
      if (failure == null) {
        return null;
      }
      boolean wrapped = failure instanceof CompletionException && failure.getCause() != null;
      throw channel.failure(wrapped ? failure.getCause() : failure);
    });
  }
}
