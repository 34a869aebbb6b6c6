package org.ringwire.heap.channel.inbound;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.WaitInterruptedException;
import org.ringwire.heap.ChannelTimeoutException;
import org.ringwire.heap.GraphLostException;
import org.ringwire.heap.channel.ChannelMessages.ClassInquiry;
import org.ringwire.heap.channel.ChannelMessages.Declarations;
import org.ringwire.heap.channel.ChannelMessages.Inquiry;
import org.ringwire.heap.channel.ChannelMessages.WritingState;
import org.ringwire.heap.image.BlockSource;

/**
 * Reads what is in an {@link Inbox}, on the thread that wants it and while it arrives. Any thread,
 * one after the other. When nothing has come for a while in the middle of a graph, the sender is
 * asked whether it is still writing, so that its end is known long before the timeout is over.
 */
public final class GraphReader {
  private static final long QUIET_NS = 250_000_000;
  private static final long LOOK_NS = 20_000_000;

  private final Node node;
  private final int peer;
  private final Inbox inbox;
  private final Duration timeout;
  private final long quietNs;
  private final ReentrantLock reading = new ReentrantLock();

  /**
   * A reader.
   *
   * @param timeout bounds each wait for a piece of a graph that has begun
   */
  public GraphReader(Node node, int peer, Inbox inbox, Duration timeout) {
    this.node = node;
    this.peer = peer;
    this.inbox = inbox;
    this.timeout = timeout;
    this.quietNs = Math.min(QUIET_NS, TimeUnit.NANOSECONDS.convert(timeout));
  }

  /**
   * Reads the next graph.
   *
   * @param patience bounds the wait for it to begin
   * @param wantsMany whether it has to be what was written as many
   */
  public @Nullable Object read(Duration patience, boolean wantsMany) {
    long deadlineNs = GraphQueue.deadline(patience);
    enter(deadlineNs, patience);
    try {
      InboundGraph graph = inbox.graphs().first(deadlineNs, patience);
      if (wantsMany && !graph.hasMany) {
        throw new IllegalStateException("the next graph is an object: use readObject()");
      }
      Pieces pieces = new Pieces(graph);
      try {
        return graph.stream.decoder().decode(pieces);
      } catch (WaitInterruptedException e) { // what was read of it is gone
        throw new GraphLostException(
            "a graph is given up, since its reader was interrupted: nodeId=" + peer, e);
      } finally {
        try {
          pieces.end();
        } finally {
          graph.stream.count();
        }
      }
    } finally {
      reading.unlock();
    }
  }

  private void enter(long deadlineNs, Duration patience) {
    if (reading.isHeldByCurrentThread()) {
      throw new IllegalStateException("a graph is being read by this thread");
    }
    try {
      if (!reading.tryLock(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        throw new ChannelTimeoutException(
            "another thread waits for a graph all the time: nodeId="
                + peer
                + " timeout="
                + patience);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WaitInterruptedException("interrupted while waiting for another reader", e);
    }
  }

  /** Nothing more will come: who waits for a graph to begin is told so. Any thread. */
  public void nodeClosed() {
    inbox.graphs().nodeClosed();
  }

  /** What a sender has declared of its classes in a stream. */
  public List<String> declaredFrom(long stream, int number) {
    ClassInquiry inquiry = new ClassInquiry(stream, number);
    try {
      return node.request(peer, inquiry, Declarations.class, timeout).descriptions();
    } catch (WaitInterruptedException e) {
      throw e;
    } catch (MessagingException e) {
      throw new GraphLostException(
          "a graph is lost, as its sender does not say what a class is that was declared in an"
              + " earlier one: nodeId="
              + peer
              + ": "
              + e.getMessage(),
          e);
    }
  }

  /** One graph, piece by piece. */
  private final class Pieces implements BlockSource {
    private final InboundGraph graph;
    private @Nullable Piece held;

    Pieces(InboundGraph graph) {
      this.graph = graph;
    }

    @Override
    public @Nullable MemorySegment next() {
      release();
      held = inbox.graphs().poll(graph, quietNs);
      if (held == null && !inbox.graphs().isOver(graph)) {
        held = awaitLongPaused();
      }
      if (held == null && graph.failure != null) {
        throw new GraphLostException("a graph is lost: nodeId=" + peer + ": " + graph.failure);
      }
      return held == null ? null : held.bytes();
    }

    /** Null if there is no more. */
    private @Nullable Piece awaitLongPaused() {
      long deadlineNs = GraphQueue.deadline(timeout) - quietNs;
      Inquiry inquiry = new Inquiry(graph.stream.id, graph.number);
      int ended = 0;
      while (System.nanoTime() - deadlineNs < 0) {
        CompletableFuture<WritingState> answer =
            node.requestAsync(peer, inquiry, WritingState.class, timeout);
        do {
          Piece piece = inbox.graphs().poll(graph, LOOK_NS);
          if (piece != null || inbox.graphs().isOver(graph)) {
            answer.cancel(false);
            return piece;
          }
        } while (!answer.isDone() && System.nanoTime() - deadlineNs < 0);
        if (answer.isCompletedExceptionally()) {
          inbox.fail(graph, "its sender does not answer: " + answer.exceptionNow().getMessage());
        } else if (answer.isDone() && isOver(answer.resultNow()) && ++ended > 1) {
          inbox.fail(graph, "blocks of it were lost");
        }
        long leftNs = Math.clamp(deadlineNs - System.nanoTime(), 0, quietNs);
        Piece piece = inbox.graphs().poll(graph, leftNs);
        if (piece != null || inbox.graphs().isOver(graph)) {
          return piece;
        }
        answer.cancel(false);
      }
      throw new ChannelTimeoutException(
          "the rest of a graph did not come in time: nodeId=" + peer + " timeout=" + timeout);
    }

    /** A sender that has asked whether all has arrived has sent all of it before. */
    private boolean isOver(WritingState state) {
      return !state.isWriting() || inbox.graphs().isAskedFor(graph);
    }

    /** Once, whatever that ends with: its memory belongs to others from then on. */
    private void release() {
      Piece read = held;
      held = null;
      if (read != null) {
        inbox.release(read);
      }
    }

    void end() {
      try {
        release();
      } finally {
        inbox.discard(graph);
      }
    }
  }
}
