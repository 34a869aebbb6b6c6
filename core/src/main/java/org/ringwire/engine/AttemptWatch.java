package org.ringwire.engine;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.connection.ConnectionState;
import org.ringwire.engine.connection.Connections;
import org.ringwire.engine.connection.PeerSession;
import org.ringwire.engine.connection.attempt.Attempt;

/**
 * Ends attempts to connect that lead nowhere: those that come to no end, or nobody could ever make
 * another, and those that have brought no link yet while the directory says by now that the node is
 * elsewhere. Who waits for one of the latter goes on where it is. However often the directory says
 * something else, an attempt lives until the next look, and there is none where the node may not be
 * tried yet ({@link org.ringwire.engine.connection.attempt}).
 *
 * <p>The timer of the node looks; a thread for name servers asks the directory, which may be slower
 * than it should: neither signs of life wait for it, nor what connections that end leave behind.
 */
public final class AttemptWatch {

  private final Connections connections;
  private final Consumer<Runnable> threads;

  public AttemptWatch(Connections connections, Consumer<Runnable> threads) {
    this.connections = connections;
    this.threads = threads;
  }

  /** Looks at one connection, whatever its state. The timer. */
  public void look(Connection connection, long nowNs) {
    if (connection.state() != ConnectionState.CONNECTING) {
      return;
    }
    Attempt attempt = connection.attempt();
    if (attempt.isOverdue(nowNs)) {
      connection.giveUp("the attempt to connect has come to no end");
    } else if (hasNoLink(connection) && attempt.tryAsk()) {
      askLater(connection, attempt);
    }
  }

  /** No lambda: one that finds no heap where it comes first is lost for ever. */
  private record Asking(AttemptWatch watch, Connection connection, Attempt attempt)
      implements Runnable {

    @Override
    public void run() {
      try {
        watch.ask(connection);
      } finally {
        attempt.asked();
      }
    }
  }

  private void askLater(Connection connection, Attempt attempt) {
    boolean begun = false;
    try {
      threads.accept(new Asking(this, connection, attempt));
      begun = true;
    } catch (RejectedExecutionException e) {
      // name servers keep all threads, or the node has ended
    } finally {
      if (!begun) { // or there is no heap for it: the next look asks
        attempt.asked();
      }
    }
  }

  /** Breaks the attempt off if it has brought no link and the node is elsewhere. Any thread. */
  public void ask(Connection connection) {
    Attempt attempt = connection.attempt();
    if (connections.addresses().hasMoved(connection.nodeId(), attempt) && hasNoLink(connection)) {
      attempt.breakOff();
      connection.giveUp("the directory says another address: tried=" + attempt.address());
    }
  }

  /** Why there is no connection after all the time that a caller had, for people. Any thread. */
  public static String whyNotOpen(Connection connection) {
    if (connection.isEnded()) {
      return connection.cause();
    }
    Attempt attempt = connection.attempt();
    return "no connection in time: address="
        + attempt.address()
        + " stage="
        + (hasNoLink(connection) ? "connecting" : "handshake")
        + " attemptMs="
        + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - attempt.beganNs());
  }

  private static boolean hasNoLink(Connection connection) {
    PeerSession out = connection.outbound();
    return out != null && out.link() == null && connection.inbound() == null;
  }
}
