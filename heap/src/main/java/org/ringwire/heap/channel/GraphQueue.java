package org.ringwire.heap.channel;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeClosedException;
import org.ringwire.WaitInterruptedException;
import org.ringwire.heap.ChannelTimeoutException;

/**
 * The graphs of an {@link Inbox} that wait to be read, with the one that is arriving; shares its
 * lock. What the reader calls takes the lock; all else is called with it.
 */
final class GraphQueue {
  private final int peer;
  private final ReentrantLock lock;
  private final Condition changed;
  private final ArrayDeque<InboundGraph> graphs = new ArrayDeque<>();
  private boolean isClosed;
  private boolean isNodeClosed;

  GraphQueue(int peer, ReentrantLock lock) {
    this.peer = peer;
    this.lock = lock;
    this.changed = lock.newCondition();
  }

  // Whoever puts in.

  void add(InboundGraph graph) {
    graphs.addLast(graph);
  }

  void remove(InboundGraph graph) {
    graphs.remove(graph);
  }

  /** Something has become of a graph. */
  void changed() {
    changed.signalAll();
  }

  boolean isClosed() {
    return isClosed;
  }

  /** Ends all waits; what was not read is gone. */
  void close() {
    isClosed = true;
    graphs.clear();
    changed.signalAll();
  }

  /** Nothing more comes; what is there can be read. Takes the lock. */
  void nodeClosed() {
    lock.lock();
    try {
      isNodeClosed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  // The reader.

  /** Whether a graph is there, or as much of one as there is room for. */
  boolean isReadable() {
    lock.lock();
    try {
      InboundGraph first = graphs.peekFirst();
      return first != null && (!first.isOpen() || first.stream.asking != null);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the first graph, or the beginning of it. */
  InboundGraph first(long deadlineNs) {
    lock.lock();
    try {
      InboundGraph first = firstWanted();
      while (first == null) {
        if (isNodeClosed) {
          throw new NodeClosedException(
              "the node is closed, and no graph comes any more: from nodeId=" + peer);
        }
        long leftNs = deadlineNs - System.nanoTime();
        if (leftNs <= 0) {
          throw new ChannelTimeoutException("no graph came in time: nodeId=" + peer);
        }
        await(leftNs);
        first = firstWanted();
      }
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** What is still arriving although nobody wants it is in front. */
  private @Nullable InboundGraph firstWanted() {
    requireOpen();
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
    lock.lock();
    try {
      long deadlineNs = System.nanoTime() + waitNs;
      while (graph.pieces.isEmpty() && graph.isOpen()) {
        long leftNs = deadlineNs - System.nanoTime();
        if (leftNs <= 0) {
          return null;
        }
        await(leftNs);
      }
      return graph.pieces.poll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether all of a graph was taken that will ever be there. */
  boolean isOver(InboundGraph graph) {
    lock.lock();
    try {
      return graph.pieces.isEmpty() && !graph.isOpen();
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // its callers loop
  private void await(long leftNs) {
    try {
      changed.awaitNanos(leftNs);
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
