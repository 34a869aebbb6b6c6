package org.ringwire.engine.services;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeListener;

/**
 * Tells of connections in their order: of the end of one before the beginning of the next one to
 * the same node, so that who counts on what the listener hears knows which nodes are there. The end
 * of a connection is known only when all its messages are accounted for, and the next one may be
 * open by then: what is told of that waits. Not for ever, as an end may never be known.
 *
 * <p>Any thread; nobody waits here.
 */
public final class PeerEvents {

  /** Longer than an account takes, unless a codec or a reading thread is held up. */
  static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

  private final Consumer<Consumer<NodeListener>> listening;
  private final ObjLongConsumer<Runnable> later;
  private final Map<Integer, Deque<Life>> lives = new HashMap<>(); // guarded by this

  /** What is to be told of one connection; guarded by the owner. */
  private static final class Life {

    private final Object connection;
    private boolean begun;
    private @Nullable Consumer<NodeListener> end;
    private boolean told; // it has ended, too

    Life(Object connection) {
      this.connection = connection;
    }
  }

  /**
   * Nothing so far.
   *
   * @param listening is given what is to be told
   * @param later runs something after so many nanoseconds
   */
  public PeerEvents(Consumer<Consumer<NodeListener>> listening, ObjLongConsumer<Runnable> later) {
    this.listening = listening;
    this.later = later;
  }

  /** No lambda: one that finds no heap where it comes first is lost for ever. */
  private record Waiting(PeerEvents events, int nodeId, Object connection) implements Runnable {
    @Override
    public void run() {
      events.waitNoMore(nodeId, connection);
    }
  }

  private record Connected(int nodeId) implements Consumer<NodeListener> {
    @Override
    public void accept(NodeListener listener) {
      listener.connected(nodeId);
    }
  }

  /** A connection is about to open. */
  public synchronized void begins(int nodeId, Object connection) {
    lives.computeIfAbsent(nodeId, _ -> new ArrayDeque<>()).addLast(new Life(connection));
  }

  /** Tells that it is there, now or in its turn. */
  public synchronized void opened(int nodeId, Object connection) {
    goOn(nodeId);
    Life life = find(nodeId, connection);
    if (life != null && !life.begun) {
      later.accept(new Waiting(this, nodeId, connection), PATIENCE_NS);
    }
  }

  /** Tells that it has ended, now or in its turn. */
  public synchronized void ended(int nodeId, Object connection, Consumer<NodeListener> event) {
    Life life = find(nodeId, connection);
    if (life == null) {
      listening.accept(event);
    } else {
      life.end = event;
      try {
        goOn(nodeId);
      } catch (OutOfMemoryError e) {
        if (!life.told) {
          life.end = null; // its caller comes again, and nobody else tells it meanwhile
          throw e;
        } // else it was for who comes next, who is told of with what that one does
      }
    }
  }

  /** The node has ended, and with it all that was waited for. */
  public synchronized void close() {
    for (int nodeId : List.copyOf(lives.keySet())) {
      Deque<Life> queue = lives.get(nodeId);
      if (queue != null && !queue.isEmpty()) {
        for (Life life : List.copyOf(queue)) {
          waitNoMore(nodeId, life.connection);
        }
      }
    }
  }

  /** Lets go of those before it, whose end is told when it is known. */
  private synchronized void waitNoMore(int nodeId, Object connection) {
    Deque<Life> queue = lives.get(nodeId);
    Life life = find(nodeId, connection);
    if (queue != null && life != null) {
      while (!queue.getFirst().equals(life)) {
        queue.removeFirst();
      }
      goOn(nodeId);
    }
  }

  @SuppressWarnings("ReferenceEquality") // a connection is asked for itself
  private @Nullable Life find(int nodeId, Object connection) {
    Deque<Life> queue = lives.get(nodeId);
    if (queue != null) {
      for (Life life : queue) {
        if (life.connection == connection) {
          return life;
        }
      }
    }
    return null;
  }

  /** With the monitor held: tells what the first of a node can, and those whose turn it is then. */
  private void goOn(int nodeId) {
    Deque<Life> queue = lives.get(nodeId);
    while (queue != null && !queue.isEmpty()) {
      Life first = queue.getFirst();
      if (!first.begun) {
        listening.accept(new Connected(nodeId));
        first.begun = true; // not if there was no heap for it: then who comes next tells it
      }
      Consumer<NodeListener> end = first.end;
      if (end == null) {
        return;
      }
      listening.accept(end);
      first.told = true; // as above
      queue.removeFirst();
    }
    lives.remove(nodeId);
  }
}
