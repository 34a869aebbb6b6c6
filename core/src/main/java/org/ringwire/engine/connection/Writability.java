package org.ringwire.engine.connection;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.ringwire.MemoryLimitException;
import org.ringwire.NodeUnreachableException;
import org.ringwire.engine.outbound.MessageSender;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.outbound.Waits;
import org.ringwire.engine.request.CompensatedFuture;
import org.ringwire.engine.services.NodeServices;

/**
 * Tells those who may not wait when it is worth to send again. Any thread; users' code never runs
 * on a thread that has come to make room, but on the handlers' executor.
 *
 * <p>No news is lost. Room: see {@link org.ringwire.engine.outbound.room.SpaceWaiters}. A
 * connection that is being made: it changes its state (volatile) and then looks, under the lock,
 * for those who want to know; they are entered under the lock before they look at the state again.
 * So one of the two sees the other. The same holds for the end of the node.
 */
public final class Writability {

  /** Far longer than it takes to ask for some nodes, and to make something depend on a future. */
  private static final long APART_NS = 200_000;

  private final NodeServices services;
  private final Connections connections;

  /** In the order of asking; sets, as each is taken out by itself, and there may be very many. */
  private final Map<Connection, Set<CompletableFuture<Void>>> connecting = new HashMap<>();

  private final ConcurrentHashMap<Long, CompletableFuture<Void>> delayed =
      new ConcurrentHashMap<>();
  private final AtomicLong tickets = new AtomicLong();
  private volatile boolean closed;

  Writability(NodeServices services, Connections connections) {
    this.services = services;
    this.connections = connections;
  }

  /** See {@link org.ringwire.Node#whenWritable}. */
  public CompletableFuture<Void> of(int nodeId) {
    CompletableFuture<Void> future = new CompensatedFuture<>();
    Connection connection = connections.get(nodeId);
    MessageSender sender = connection == null ? null : connection.sender();
    if (closed) {
      future.completeExceptionally(
          new ConnectResult.NodeCloses(services.config().nodeId()).failure());
    } else if (sender != null) {
      tellOfRoom(sender, future);
    } else {
      connect(nodeId, future);
    }
    return future;
  }

  /**
   * Where there is room by the time that something is made to depend on the future, that runs on
   * the calling thread, and comes back here if it is refused again, as it may be each time: a long
   * message is granted within a process while it is refused. So now and then the future ends when
   * that is done, and another thread goes on, before the stack of this one ends.
   */
  private void tellOfRoom(MessageSender sender, CompletableFuture<Void> future) {
    if (SendContext.current().hasHadManyHints(APART_NS)) {
      if (!sender.tryNotify(future::isDone, new Later(this, future))) {
        later(future, APART_NS);
      }
    } else if (!sender.tryNotify(future::isDone, new Told(this, future))) {
      future.complete(null); // nobody depends on it yet
    }
  }

  /** No lambda, as the next ones: one that finds no heap where it comes first is lost for ever. */
  private record Later(Writability writability, CompletableFuture<Void> future)
      implements Runnable {

    @Override
    public void run() {
      writability.later(future, APART_NS);
    }
  }

  private record Told(Writability writability, CompletableFuture<Void> future) implements Runnable {

    @Override
    public void run() {
      writability.complete(future);
    }
  }

  private record Completion(CompletableFuture<Void> future) implements Runnable {
    @Override
    public void run() {
      future.complete(null);
    }
  }

  private record Delay(Writability writability, long ticket) implements Runnable {
    @Override
    public void run() {
      writability.end(ticket);
    }
  }

  private void complete(CompletableFuture<Void> future) {
    services.handlers().execute(new Completion(future));
  }

  private void later(CompletableFuture<Void> future, long delayNs) {
    long ticket = tickets.incrementAndGet();
    delayed.put(ticket, future);
    boolean due = false;
    try {
      services.later(new Delay(this, ticket), delayNs);
      due = true;
    } finally {
      if (!due) { // there may be no heap
        delayed.remove(ticket);
      }
    }
    if (closed) {
      end(ticket);
    }
  }

  private void end(long ticket) {
    CompletableFuture<Void> future = delayed.remove(ticket);
    if (future != null) {
      complete(future);
    }
  }

  private void connect(int nodeId, CompletableFuture<Void> future) {
    try {
      switch (connections.connect(nodeId)) {
        case ConnectResult.Begun begun -> decidedLater(begun.connection(), future);
        case ConnectResult.BacksOff _ -> later(future, connections.addresses().backOffNs(nodeId));
        case ConnectResult.NodeCloses closes -> future.completeExceptionally(closes.failure());
        case ConnectResult.Unknown unknown -> unreachable(nodeId, unknown.why(), null, future);
        case ConnectResult.DirectoryFailed failed ->
            unreachable(nodeId, failed.why(), failed.cause(), future);
      }
    } catch (MemoryLimitException e) {
      future.completeExceptionally(e);
    }
  }

  private static void unreachable(
      int nodeId, String why, @Nullable Exception cause, CompletableFuture<Void> future) {
    future.completeExceptionally(
        new NodeUnreachableException("cannot reach node: nodeId=" + nodeId + ": " + why, cause));
  }

  private void decidedLater(Connection connection, CompletableFuture<Void> future) {
    long dismissals = connection.dismissals(); // first: one that comes later is told of
    if (connection.isDismissed()) { // a handler that waits for this would wait for itself
      boolean _ = Waits.mayWaitForEnd(connection);
    }
    synchronized (connecting) {
      connecting.computeIfAbsent(connection, key -> new LinkedHashSet<>()).add(future);
    }
    if (connection.sender() != null || connection.isEnded()) {
      decided(connection);
    } else if (dismissals != connection.dismissals()) {
      complete(future);
      forget(connection, future);
    }
  }

  /**
   * A connection goes on ending, and those who wait for that are to ask again, each once: who does
   * may come back to the same set at once, so all of it would never be told.
   */
  void askAgain(Connection connection) {
    List<CompletableFuture<Void>> asking;
    synchronized (connecting) {
      asking = List.copyOf(connecting.getOrDefault(connection, Set.of()));
    }
    for (CompletableFuture<Void> future : asking) {
      complete(future);
      forget(connection, future);
    }
  }

  /** A connection is open, or has ended. */
  void decided(Connection connection) {
    CompletableFuture<Void> next = next(connection, null);
    while (next != null) { // stays in the set until there was heap to tell it
      complete(next);
      next = next(connection, next);
    }
  }

  /** The next one to be told, when the one before was; that one may be told by two threads. */
  private @Nullable CompletableFuture<Void> next(
      Connection connection, @Nullable CompletableFuture<Void> told) {
    synchronized (connecting) {
      if (told != null) {
        forget(connection, told);
      }
      Set<CompletableFuture<Void>> waiting =
          connecting.isEmpty() ? null : connecting.get(connection);
      return waiting == null ? null : waiting.iterator().next();
    }
  }

  @SuppressWarnings("CollectionUndefinedEquality") // a future equals itself, which is asked for
  private void forget(Connection connection, CompletableFuture<Void> told) {
    synchronized (connecting) {
      Set<CompletableFuture<Void>> waiting = connecting.get(connection);
      if (waiting != null && waiting.remove(told) && waiting.isEmpty()) {
        connecting.remove(connection);
      }
    }
  }

  /** The node closes: its connections end, and with them what waits for them; the rest ends now. */
  void close() {
    closed = true; // before the futures are looked at; pairs with the read after they are added
    for (Long ticket : List.copyOf(delayed.keySet())) {
      end(ticket);
    }
  }
}
