package org.ringwire.heap.channel.outbound;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.ringwire.WaitInterruptedException;
import org.ringwire.heap.channel.ChannelsClosedException;

/**
 * The wait of the one thread that writes, for an answer that may have to wait for a reader at the
 * other side; closing the channels ends it.
 *
 * <p><em>Nothing is missed.</em> The writer stores what it waits for and then reads whether it is
 * closed; who closes stores that and then reads what is waited for. Both are volatile, so one of
 * the two sees the other.
 */
final class RoomWait {
  private volatile @Nullable CompletableFuture<?> waiting;
  private volatile boolean isClosed;

  /**
   * Waits for an answer, whose time is bounded by its request. One thread at a time.
   *
   * @throws ExecutionException if there is none
   * @throws ChannelsClosedException if {@link #close} has ended the wait
   */
  <R> R await(CompletableFuture<R> answer) throws ExecutionException {
    waiting = answer;
    try {
      if (isClosed) {
        end(answer);
      }
      return answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ChannelsClosedException) {
        throw new ChannelsClosedException(); // of this thread
      }
      throw e;
    } catch (InterruptedException e) {
      answer.cancel(false);
      Thread.currentThread().interrupt();
      throw new WaitInterruptedException("interrupted while waiting for room", e);
    } finally {
      waiting = null;
    }
  }

  /** Ends the wait, and those to come. Any thread. */
  void close() {
    isClosed = true;
    CompletableFuture<?> answer = waiting;
    if (answer != null) {
      end(answer);
    }
  }

  private static void end(CompletableFuture<?> answer) {
    answer.completeExceptionally(new ChannelsClosedException());
  }
}
