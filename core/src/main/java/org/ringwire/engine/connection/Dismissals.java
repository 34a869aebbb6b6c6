package org.ringwire.engine.connection;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.ringwire.EndReason;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.engine.services.SingleTask;
import org.ringwire.wire.CloseReason;

/**
 * Keeps a node to its number of connections: beyond it, those that were not used for longest are
 * closed in good order, whoever opened them (DXNet paper section IX-3). And sees to it that
 * connections which end in good order, for whatever reason, get on with it. Those that are open
 * count, and those that a peer has begun; an attempt of this node is none yet, and pushes out
 * nobody: it may fail.
 *
 * <p>When a connection was used is sampled, from positions that exist anyway, whenever the timer
 * looks for signs of life and whenever somebody must go: sending writes nothing for it. What was
 * used between the same two samples was used at the same time, and chance decides. One that has
 * just been opened is spared until it was used once, or for {@link #GRACE_NS}. If nobody can go,
 * there are more connections for a while, as {@link Turn} says.
 *
 * <p>A connection is in use while a request waits on it, or a message is with a handler of either
 * node: a drain waits for the handler, and a handler that sends back to the dismissed node would
 * wait for the drain. What the peer has processed it may not have said yet, so it is asked. A
 * message that comes right after this look can still meet the drain. Then it counts as processed
 * once its handler is about to wait for that ({@link org.ringwire.engine.outbound.Waits.Holder}),
 * and the handler of a request without an answer is told that the node cannot be reached. Only
 * where that would change an order the patience of {@link Draining} is the end of both.
 *
 * <p>Everything runs on the node's timer, except where it says so.
 */
final class Dismissals {

  private static final long GRACE_NS = 1_000_000_000;
  private static final long FIRST_POLL_NS = 500_000;
  private static final long LONGEST_POLL_NS = 16_000_000;
  private static final long AGAIN_NS = 10_000_000;
  private static final long LONGEST_AGAIN_NS = 100_000_000; // a look is at all connections

  /**
   * Ready before it is needed: a lambda that finds no heap where it comes first is lost for ever.
   */
  @SuppressWarnings("UnnecessaryLambda")
  private static final Predicate<Connection> ADVANCES =
      connection -> connection.orderlyEnd().advance();

  @SuppressWarnings("UnnecessaryLambda")
  private static final Function<Turn, List<Connection>> NEW_LIST = _ -> new ArrayList<>();

  /** When a connection may go, the sooner the less is lost by it. */
  private enum Turn {
    /** Nothing is under way, and each side has found the other: it comes back when it is used. */
    NOW,
    /** One side opened the only link; the other may know no way back. {@link #GRACE_NS} later. */
    LATER,
    /** It is in use. Only when there were too many for as long as a drain has patience. */
    LAST
  }

  private final NodeServices services;
  private final Connections connections;
  private final Set<Connection> draining = ConcurrentHashMap.newKeySet();
  private final SingleTask enforcing;
  private final SingleTask polling;
  private final AtomicLong begun = new AtomicLong();
  private volatile long pollNs = FIRST_POLL_NS;
  private boolean crowded; // whether there were too many at the last look; timer, as the next
  private long crowdedSinceNs;

  Dismissals(NodeServices services, Connections connections) {
    this.services = services;
    this.connections = connections;
    enforcing = new SingleTask(services::later, this::enforce);
    polling = new SingleTask(services::later, this::advance);
  }

  /** Any thread: there is one connection more. */
  void connectionMade(int count) {
    if (count > services.config().maxConnections()) {
      enforceLater(0);
    }
  }

  /** Any thread, for tests: samples who was used, as the timer does now and then. */
  void sampleNow() {
    enforceLater(0);
  }

  private void enforceLater(long delayNs) {
    if (!connections.isClosing()) {
      enforcing.later(delayNs);
    }
  }

  private void enforce() {
    long now = System.nanoTime();
    int surplus = -services.config().maxConnections();
    Map<Turn, List<Connection>> candidates = new EnumMap<>(Turn.class);
    Set<Object> waitedFor = services.requests().connections();
    for (Connection connection : connections.all()) {
      connection.usage().sample(connection, now);
      surplus += counts(connection) ? 1 : 0;
      if (connection.state().takesMessages()
          && !waitedFor.contains(connection)
          && connection.usage().mayGo(now, GRACE_NS)) {
        candidates.computeIfAbsent(turnOf(connection), NEW_LIST).add(connection);
      }
    }
    int left = surplus;
    for (Turn turn : Turn.values()) {
      if (left > 0 && hasCome(turn, now)) {
        int gone = dismiss(oldest(candidates.get(turn), left, now), now);
        left -= gone;
        crowded &= turn != Turn.LAST || gone == 0; // else the next ones have as much time again
      }
    }
    if (left > 0 && !connections.isClosing()) {
      ask(oldest(candidates.get(Turn.LAST), Integer.MAX_VALUE, now), left, now);
      crowdedSinceNs = crowded ? crowdedSinceNs : now;
      enforcing.again(Math.clamp((now - crowdedSinceNs) / 8, AGAIN_NS, LONGEST_AGAIN_NS));
    }
    crowded = left > 0;
  }

  /** An attempt of ours is bounded by its time, and by what this node sends to whom. */
  private static boolean counts(Connection connection) {
    ConnectionState state = connection.state();
    return state == ConnectionState.OPEN
        || (state == ConnectionState.CONNECTING && connection.inbound() != null);
  }

  private static Turn turnOf(Connection connection) {
    if (Usage.isGoingOn(connection)) {
      return Turn.LAST;
    }
    return Usage.isOnOneLink(connection) ? Turn.LATER : Turn.NOW;
  }

  private boolean hasCome(Turn turn, long nowNs) {
    long crowdedNs = crowded ? nowNs - crowdedSinceNs : 0;
    return switch (turn) {
      case NOW -> true;
      case LATER -> crowdedNs >= GRACE_NS;
      case LAST -> crowdedNs >= Math.max(GRACE_NS, Draining.patienceNs(services.config()));
    };
  }

  /** Those that were not used for longest; those that may not come back after the others. */
  private static List<Connection> oldest(@Nullable List<Connection> of, int most, long nowNs) {
    if (of == null) {
      return List.of();
    }
    Collections.shuffle(of);
    of.sort(Comparator.comparingLong(connection -> connection.usage().lastUseNs() - nowNs));
    List<Connection> inTurn = new ArrayList<>();
    List<Connection> onOneLink = new ArrayList<>();
    for (Connection connection : of) { // one look at each, as links come and go
      (Usage.isOnOneLink(connection) ? onOneLink : inTurn).add(connection);
    }
    inTurn.addAll(onOneLink);
    return inTurn.subList(0, Math.min(most, inTurn.size()));
  }

  private static int dismiss(List<Connection> some, long nowNs) {
    for (Connection each : some) {
      each.drain(EndReason.DISMISSED, CloseReason.DISMISSED, nowNs);
    }
    return some.size();
  }

  /** The next ones are asked when these have not turned out to be unused. */
  private static void ask(List<Connection> used, int most, long nowNs) {
    int asked = 0;
    for (Connection connection : used) {
      PeerSession data = connection.dataSession();
      if (asked < most
          && data != null
          && !data.data().isProcessed()
          && connection.usage().ask(data, nowNs)) {
        asked++;
      }
    }
  }

  /**
   * Any thread, after {@link #watch}: a connection is dismissed, perhaps while a handler has a
   * message of it in hand and waits for the end of another connection; the peer of that may wait,
   * directly or around a ring, for the message in hand. So those who wait for an end look again
   * what they hold; who has asked when it may send is told to ask again.
   *
   * <p>Nobody is missed: who waits reads {@link #begun}, looks, and then waits until that differs;
   * here the state is moved before, and those that end are known before they are told.
   */
  void dismissed() {
    begun.incrementAndGet();
    for (Connection ending : draining) {
      ending.wakeWaiting();
      connections.writability().askAgain(ending);
    }
  }

  /** How many connections of this node were dismissed, whoever has begun it; any thread. */
  long begun() {
    return begun.get();
  }

  /** Any thread: a connection has begun to end in good order, or has heard of its peer. */
  void watch(Connection connection) {
    draining.add(connection);
    pollNs = FIRST_POLL_NS;
    polling.later(pollNs);
  }

  private void advance() {
    pollNs = Math.min(2 * pollNs, LONGEST_POLL_NS);
    try {
      draining.removeIf(ADVANCES);
    } finally { // whatever went wrong with one of them
      if (!draining.isEmpty()) {
        polling.again(pollNs);
      }
    }
  }
}
