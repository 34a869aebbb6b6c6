package org.ringwire.heap.channel.inbound;

import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeClosedException;
import org.ringwire.WaitInterruptedException;
import org.ringwire.heap.ChannelTimeoutException;
import org.ringwire.heap.channel.ChannelsClosedException;

/**
 * The graphs of an {@link Inbox} that wait to be read, with the one that is arriving; shares its
 * lock. What the reader calls takes the lock; all else is called with it.
 */
final class GraphQueue {
  /** Of a sender that means well there are a few: it begins a stream anew when one was lost. */
  private static final int MOST_ENDED = 1 << 10;

  /** Of reasons why graphs were given up, of which the window knows nothing. */
  private static final int MOST_CHARS = 1 << 16;

  private static final String GIVEN_UP = "its sender gave it up";

  private final int peer;
  private final Object lock;

  /** Links, since an array that cannot grow for want of heap loses all that is in it. */
  private final Deque<InboundGraph> graphs = new ConcurrentLinkedDeque<>();

  /** Streams that have ended and have graphs here. */
  private int endedStreams;

  /** Of the reasons why graphs that are here were given up, together. */
  private int givenUpChars;

  private boolean isClosed;
  private boolean isNodeClosed;

  GraphQueue(int peer, Object lock) {
    this.peer = peer;
    this.lock = lock;
  }

  // Whoever puts in.

  void add(InboundGraph graph) {
    graphs.addLast(graph);
    graph.stream.unread++;
  }

  void remove(InboundGraph graph) {
    if (!graphs.remove(graph)) {
      return;
    }
    givenUpChars -= graph.givenUpChars;
    if (--graph.stream.unread == 0 && graph.stream.hasEnded) {
      endedStreams--;
    }
  }

  /** What to tell of a graph that its sender has given up; why is kept while that is little. */
  String givenUp(InboundGraph graph, String reason) {
    if (reason.isEmpty() || givenUpChars + reason.length() > MOST_CHARS) {
      return GIVEN_UP;
    }
    String told = GIVEN_UP + ": " + reason;
    graph.givenUpChars = reason.length();
    givenUpChars += reason.length();
    return told;
  }

  /** Of the reasons that are kept. */
  int givenUpChars() {
    return givenUpChars;
  }

  /** Nothing more comes of a stream. */
  void ended(InStream stream) {
    stream.hasEnded = true;
    endedStreams += stream.unread == 0 ? 0 : 1;
  }

  /** Why no stream may begin; each keeps more than the window knows of until it is read. */
  @Nullable String whyNoStream() {
    if (isClosed) {
      return EndedStream.CLOSED;
    }
    return endedStreams < MOST_ENDED
        ? null
        : "too many streams have ended with graphs that nobody has read";
  }

  /** Something has become of a graph. */
  void changed() {
    lock.notifyAll();
  }

  /** Ends all waits; what was not read is gone. */
  void close() {
    isClosed = true;
    graphs.clear();
    lock.notifyAll();
  }

  /** Nothing more comes; what is there can be read. Takes the lock. */
  void nodeClosed() {
    synchronized (lock) {
      isNodeClosed = true;
      lock.notifyAll();
    }
  }

  // The reader.

  /** Whether a graph is there, or as much of one as there is room for. */
  boolean isReadable() {
    synchronized (lock) {
      InboundGraph first = wanted();
      return first != null && (!first.isOpen() || first.stream.asking != null);
    }
  }

  /**
   * Waits for the first graph, or the beginning of it.
   *
   * @param patience what the deadline was made of
   */
  InboundGraph first(long deadlineNs, Duration patience) {
    synchronized (lock) {
      InboundGraph first = firstWanted();
      while (first == null) {
        if (isNodeClosed) {
          throw new NodeClosedException(
              "the node is closed, and no graph comes any more: from nodeId=" + peer);
        }
        long leftNs = deadlineNs - System.nanoTime();
        if (leftNs <= 0) {
          throw new ChannelTimeoutException(
              "no graph came in time: nodeId=" + peer + " timeout=" + patience);
        }
        await(leftNs);
        first = firstWanted();
      }
      return first;
    }
  }

  private @Nullable InboundGraph firstWanted() {
    requireOpen();
    return wanted();
  }

  /** What is still arriving although nobody wants it is in front. */
  private @Nullable InboundGraph wanted() {
    for (InboundGraph graph : graphs) {
      if (!graph.isDiscarded) {
        return graph;
      }
    }
    return null;
  }

  /**
   * Takes a piece of a graph, if there is one within some time.
   *
   * @return null if there is none, but may be
   */
  @Nullable Piece poll(InboundGraph graph, long waitNs) {
    synchronized (lock) {
      long deadlineNs = System.nanoTime() + waitNs;
      while (graph.pieces.isEmpty() && graph.isOpen()) {
        long leftNs = deadlineNs - System.nanoTime();
        if (leftNs <= 0) {
          return null;
        }
        await(leftNs);
      }
      return graph.pieces.poll();
    }
  }

  /** Whether all of a graph was taken that will ever be there. */
  boolean isOver(InboundGraph graph) {
    synchronized (lock) {
      return graph.pieces.isEmpty() && !graph.isOpen();
    }
  }

  /** Whether its sender has asked to be told when it has arrived. */
  boolean isAskedFor(InboundGraph graph) {
    synchronized (lock) {
      return graph.stream.waiting.containsKey(graph.number);
    }
  }

  @SuppressWarnings("WaitNotInLoop") // its callers loop
  private void await(long leftNs) {
    try {
      TimeUnit.NANOSECONDS.timedWait(lock, leftNs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WaitInterruptedException("interrupted while waiting for a graph", e);
    }
    requireOpen();
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException(ChannelsClosedException.MESSAGE);
    }
  }

  /** Of a wait that is bounded by a timeout: when it is over. */
  static long deadline(Duration timeout) {
    return System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
  }
}
