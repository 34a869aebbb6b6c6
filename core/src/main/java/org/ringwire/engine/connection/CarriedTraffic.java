package org.ringwire.engine.connection;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.connection.link.SessionTotals;
import org.ringwire.engine.connection.link.Traffic;

/**
 * What all connections of a node have carried, those that have ended included. Any thread.
 *
 * <p>What a connection has carried is read from its links while it has memory, and kept here as a
 * sum from then on; between its end, after which nobody finds it, and that moment it is listed
 * here. All of it happens with the monitor held, so that at no time anything is counted twice or
 * not at all.
 */
final class CarriedTraffic {

  private final Supplier<? extends Collection<Connection>> connected;
  private final Set<Connection> ending = new HashSet<>(); // guarded by this, as the next
  private Traffic ended = Traffic.NONE;

  /**
   * Nothing yet.
   *
   * @param connected those that can be found at this moment
   */
  CarriedTraffic(Supplier<? extends Collection<Connection>> connected) {
    this.connected = connected;
  }

  /** What a connection has carried, by its links, which may be one, and the one of its data. */
  static Traffic of(
      @Nullable PeerSession out, @Nullable PeerSession in, @Nullable PeerSession data) {
    SessionTotals totals = data == null ? SessionTotals.NONE : data.data().current();
    long sent = out == null ? 0 : out.data().sentBytes();
    long received = out == null ? 0 : out.receivedBytes();
    if (in != null && in != out) {
      sent += in.data().sentBytes();
      received += in.receivedBytes();
    }
    return new Traffic(
        totals.started(), sent, received, totals.stalls().stalls(), totals.stalls().blockedNs());
  }

  /** A connection has ended, and is found no more soon. May be told again. */
  synchronized void ended(Connection connection) { // its links may have closed in the meantime
    if (connection.hasLink() && !connection.ending().isRetired()) { // whose end retires it
      ending.add(connection);
    }
  }

  /** Those that have ended and whose links have not: a thread may be in their handlers. */
  synchronized List<Connection> ending() {
    return List.copyOf(ending);
  }

  /**
   * A link leaves a connection that goes on without it, and holds its lock: what the link has
   * carried is kept.
   *
   * @param letGo lets go of the link, and needs no heap
   */
  synchronized void leaves(PeerSession session, Runnable letGo) {
    ended = ended.plus(of(session, null, null));
    letGo.run();
  }

  /** What an ended connection has carried is kept; before its memory is freed. */
  synchronized void retire(Connection connection) {
    if (!connection.ending().isRetired()) {
      ended = ended.plus(connection.traffic());
      connection.ending().retired();
    }
    ending.remove(connection);
  }

  /** What all have carried until now. */
  synchronized Traffic sum() {
    Set<Connection> counted = new HashSet<>(ending);
    counted.addAll(connected.get());
    Traffic sum = ended;
    for (Connection connection : counted) {
      sum = connection.ending().isRetired() ? sum : sum.plus(connection.traffic());
    }
    return sum;
  }
}
