package org.ringwire.engine;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.ringwire.EndReason;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.connection.Connections;
import org.ringwire.engine.connection.PeerSession;
import org.ringwire.engine.connection.link.Pulse;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.engine.services.Periodic;
import org.ringwire.transport.Link;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.ControlFrames;

/**
 * Finds peers that are gone without a word: no end of the stream ever comes from a process that was
 * stopped, a machine without power, a cable that was pulled. Looks at every connection {@link
 * #LOOKS} times in the configured time, on the timer's thread, at counters that exist anyway.
 *
 * <p>Each side says something on each connection at every second look at least: it sends a PONG
 * that nobody asked for, on its two links in turn. And a CREDIT, if one is owed: at a look that
 * finds messages processed which the peer was not told of, however few. So a connection is silent
 * only if the peer, the medium, or the medium's queue is. After two silent looks a PING asks; after
 * five the connection is lost. It is lost also if one of its links is silent for twice the time,
 * which the medium alone can be to blame for. That the two take turns halves what thousands of idle
 * connections cost.
 *
 * <p>A peer that is taken in says nothing more before it has heard of that, which takes as long as
 * a way there and back, and may take longer than the configured time: its first word has {@code
 * connectTimeout}, as the handshake on a link of this side has. From then on its signs follow each
 * other however far it is.
 *
 * <p>The PONG is sent where enough else is sent, too. The compiler leaves out of compiled code what
 * has never happened. If signs of life came only in a silence, the first one after a busy time
 * would discard most of what was compiled for sending and receiving, on both sides, and the message
 * that ends the silence would be interpreted: it took twice as long.
 *
 * <p>What is sent by the timer is sent also while the reading thread is busy in an inline handler,
 * or with a peer of another version, for whose messages it generates codecs; over a link that was
 * full by then as well, with which that thread would have to go on: such a node stays connected
 * however long that takes. It judges nobody meanwhile, since what others say lies unread before it.
 * Nor does it answer those who suspect it, for whom looks may be too far apart: so it says
 * something to all of them every second, as long as it lasts.
 *
 * <p>A request that ended without its response is a reason to look at once ({@link #suspect}):
 * where the configured time is long, because there are many idle peers, those who wait for answers
 * find a dead peer early nevertheless.
 */
public final class KeepAlive {

  /** Looks in the time of {@code keepAlive}. */
  static final int LOOKS = 6;

  private static final int ASK_AFTER = 2;

  /** Looks in which a link alone may be silent. */
  private static final int LINK_LOOKS = 2 * LOOKS;

  private static final long SUSPICION_NS = 3_000_000_000L;

  /** Signs of a node whose reading thread stays inside: the first comes within two of these. */
  private static final long SIGN_NS = SUSPICION_NS / 3;

  private static final int SECOND_LOOK = 8;

  /** Ready before a look: a lambda that finds no heap where it comes first is lost for ever. */
  private static final Predicate<Pulse> IS_INSIDE = Pulse::isInside;

  private static final Predicate<Pulse> IS_STUCK = Pulse::isStuck;
  private static final Predicate<Pulse> IS_STUCK_FOR_UPKEEP = Pulse::isStuckForUpkeep;

  private final NodeServices services;
  private final Connections connections;
  private final Upkeep upkeep;
  private final long keepAliveNs;
  private long lookNs; // when the timer looks now
  private boolean wasInside; // when it looked between

  KeepAlive(NodeServices services, Connections connections) {
    this.services = services;
    this.connections = connections;
    upkeep = new Upkeep(services, connections);
    keepAliveNs = services.config().keepAlive().toNanos();
  }

  /** Begins to look; ends with the timers of the node. */
  void start() {
    Periodic.start(services, "keep-alive", keepAliveNs / LOOKS, this::look);
    if (keepAliveNs > SUSPICION_NS) { // else looks give signs, and do what is left, as often
      Periodic.start(services, "signs of a busy node", SIGN_NS, this::speakWhileInside);
      Periodic.start(services, "upkeep", SUSPICION_NS / LOOKS, this::keepUp);
    }
  }

  /** The timer, where looks for signs of life are far apart: what is not to wait for them. */
  private void keepUp() {
    List<Connection> all = connections.all();
    upkeep.look(all, System.nanoTime(), !anyLink(all, IS_STUCK_FOR_UPKEEP));
  }

  private void look() {
    List<Connection> all = connections.all();
    boolean judged = !anyLink(all, IS_STUCK);
    boolean busy = anyLink(all, IS_INSIDE);
    long now = System.nanoTime();
    lookNs = now;
    if (keepAliveNs <= SUSPICION_NS) {
      upkeep.look(all, now, judged);
    }
    for (Connection connection : all) {
      connection.usage().sample(connection, now);
      if (busy) {
        resumeWriting(connection);
      }
      look(connection, judged);
    }
  }

  /**
   * Whether a peer over whose link nothing has come since its WELCOME may not have heard that yet.
   * Where there is another link that is ready, it has answered over that.
   */
  private boolean awaitsFirstWord(PeerSession only) {
    return only.pulse().awaitsFirstWord(only.receivedBytes(), lookNs);
  }

  private boolean anyLink(List<Connection> all, Predicate<Pulse> condition) {
    boolean any = false;
    for (PeerSession coming : connections.beingTakenIn()) { // the same thread reads the others
      any |= condition.test(coming.pulse());
    }
    for (Connection ended : connections.ending()) { // its thread reads those of others, too
      any |= anyLink(ended, condition);
    }
    for (Connection connection : all) { // of all: each may note where it is
      any |= anyLink(connection, condition);
    }
    return any;
  }

  private static boolean anyLink(Connection connection, Predicate<Pulse> condition) {
    PeerSession out = connection.outbound();
    PeerSession in = connection.inbound();
    boolean any = out != null && condition.test(out.pulse());
    any |= in != null && in != out && condition.test(in.pulse());
    return any;
  }

  private void look(Connection connection, boolean judged) {
    PeerSession out = ready(connection.outbound());
    PeerSession in = ready(connection.inbound());
    if (out == null || in == null || in == out) {
      PeerSession only = out == null ? in : out;
      if (only != null) {
        look(connection, only, only, judged && !awaitsFirstWord(only));
      }
    } else if (!isLost(connection, out, judged) && !isLost(connection, in, judged)) {
      look(connection, out, in, judged);
    }
  }

  /**
   * The medium was full, so a thread that reads is to go on writing, and may be in a handler
   * instead: what has not moved since the last look is written by this thread as far as it goes.
   */
  private static void resumeWriting(Connection connection) {
    PeerSession out = connection.outbound();
    PeerSession in = connection.inbound();
    resumeWriting(out);
    if (in != out) {
      resumeWriting(in);
    }
  }

  private static void resumeWriting(@Nullable PeerSession session) {
    if (session == null
        || session.pulse().hasSent(session.data().sentBytes())
        || session.pipe().isDrained()) {
      return;
    }
    Link link = session.link();
    if (link != null) {
      link.resumeWriting();
    }
  }

  private static @Nullable PeerSession ready(@Nullable PeerSession session) {
    return session != null && session.isReady() ? session : null;
  }

  /** Whether one of two links is silent for too long, whatever the other is. */
  private boolean isLost(Connection connection, PeerSession session, boolean judged) {
    int silent = session.pulse().silentLooks(session.receivedBytes(), judged, lookNs);
    if (silent >= LINK_LOOKS - 1) {
      lost(connection, session, "one of two links silent for " + silence(session.pulse()));
      return true;
    }
    if (silent == LOOKS) {
      session.control().ping();
    }
    return false;
  }

  /** A connection by its links, which may be one and the same. */
  private void look(Connection connection, PeerSession out, PeerSession in, boolean judged) {
    Pulse pulse = connection.pulse();
    boolean two = in != out;
    long received = out.receivedBytes() + (two ? in.receivedBytes() : 0);
    long sent = out.data().sentBytes() + (two ? in.data().sentBytes() : 0);
    int silent = pulse.silentLooks(received, judged, lookNs);
    boolean moves = pulse.hasSent(sent);
    boolean due = pulse.isSignDue(moves);
    if (silent >= LOOKS - 1) {
      lost(connection, out, "nothing received for " + silence(pulse));
    } else if (silent == ASK_AFTER) {
      out.control().ping();
      if (two) {
        in.control().ping();
      }
    } else {
      if (in.receiveWindow().owesCredit()) {
        in.creditDue();
      }
      if (due) {
        boolean first = pulse.takeTurn();
        boolean _ = isTold(first ? out : in, moves) || (two && isTold(first ? in : out, moves));
      }
    }
  }

  /** A sign of life; false if what was sent before does not leave. */
  private static boolean isTold(PeerSession session, boolean moves) {
    boolean leaves = moves || session.pipe().isDrained();
    if (leaves) {
      session.control().send(ControlFrames.pong(0));
    }
    return leaves;
  }

  /** How long it was, for people; as looks are counted, it may be less than the time set. */
  private String silence(Pulse pulse) {
    return TimeUnit.NANOSECONDS.toMillis(pulse.silentNs(lookNs))
        + " ms: keepAlive="
        + services.config().keepAlive();
  }

  /** The timer, between looks that are far apart; for those who suspect this node by then. */
  private void speakWhileInside() {
    List<Connection> all = connections.all();
    boolean before = wasInside;
    wasInside = anyLink(all, IS_INSIDE); // of whichever link: one thread reads many
    if (before && wasInside) {
      for (Connection connection : all) {
        resumeWriting(connection);
        PeerSession out = connection.outbound();
        PeerSession in = connection.inbound();
        speak(out); // on both: the peer looks at each of them
        speak(in == out ? null : in);
      }
    }
  }

  private static void speak(@Nullable PeerSession session) {
    if (session != null && session.isReady()) {
      boolean _ = isTold(session, false);
    }
  }

  /** The peer may only be stopped: then it learns, when it goes on, why it is alone. */
  private static void lost(Connection connection, PeerSession session, String facts) {
    String text = "no sign of life: " + facts;
    session.farewell().say(CloseReason.NO_SIGN_OF_LIFE, text);
    connection.end(EndReason.NO_SIGN_OF_LIFE, text);
  }

  /**
   * A response did not come in time: unless anything else does, soon, the connection is lost. Any
   * thread.
   */
  void suspect(Connection connection) {
    PeerSession session = connection.inbound();
    if (session == null
        || keepAliveNs <= SUSPICION_NS // then looking is as quick
        || !session.isReady()
        || !session.pulse().suspect()) {
      return;
    }
    long receivedBytes = session.receivedBytes();
    session.control().ping();
    judgeLater(connection, session, receivedBytes, false);
  }

  /** No lambda, for the same reason. */
  private record Judging(
      KeepAlive keepAlive,
      Connection connection,
      PeerSession session,
      long receivedBytes,
      boolean again)
      implements Runnable {

    @Override
    public void run() {
      keepAlive.judge(connection, session, receivedBytes, again);
    }
  }

  private void judgeLater(
      Connection connection, PeerSession session, long receivedBytes, boolean again) {
    long delayNs = again ? SUSPICION_NS / SECOND_LOOK : SUSPICION_NS;
    boolean begun = false;
    try {
      services.later(new Judging(this, connection, session, receivedBytes, again), delayNs);
      begun = true;
    } finally {
      if (!begun) { // there is no heap for it: the next late response is a reason again
        session.pulse().acquit();
      }
    }
  }

  /** Timer: twice, so that a pause of this process gives it the time to read. */
  private void judge(
      Connection connection, PeerSession session, long receivedBytes, boolean again) {
    if (session.receivedBytes() != receivedBytes || connection.isEnded()) {
      session.pulse().acquit();
    } else if (again && !anyLink(connections.all(), IS_INSIDE)) {
      lost(connection, session, "neither a response nor an answer to a PING");
    } else {
      judgeLater(connection, session, receivedBytes, true);
    }
  }
}
