package org.ringwire.engine;

import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.EndReason;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.ControlFrames;

/**
 * Finds peers that are gone without a word: no end of the stream ever comes from a process that was
 * stopped, a machine without power, a cable that was pulled. Looks at every link {@link #LOOKS}
 * times in the configured time, on the timer's thread, at counters that exist anyway.
 *
 * <p>Each side says something on each link at every second look at least: where nothing else was
 * sent it sends a PONG that nobody asked for. Or a CREDIT, if one is owed: at a look that finds
 * messages processed which the peer was not told of, however few. So a link is silent only if the
 * peer, the medium, or the medium's queue is. After two silent looks a PING asks; after five the
 * connection is lost. What is sent by the timer is sent also while the reading thread is busy in an
 * inline handler: such a node stays connected however long its handler takes. It judges nobody
 * meanwhile, since what others say lies unread before it.
 *
 * <p>A request that ended without its response is a reason to look at once ({@link #suspect}):
 * where the configured time is long, because there are many idle peers, those who wait for answers
 * find a dead peer early nevertheless.
 */
final class KeepAlive {

  /** Looks in the time of {@code keepAlive}. */
  static final int LOOKS = 6;

  private static final int ASK_AFTER = 2;
  private static final long SUSPICION_NS = 3_000_000_000L;
  private static final int SECOND_LOOK = 8;

  private final NodeServices services;
  private final Connections connections;
  private final long keepAliveNs;

  KeepAlive(NodeServices services, Connections connections) {
    this.services = services;
    this.connections = connections;
    keepAliveNs = services.config().keepAlive().toNanos();
  }

  /** Begins to look; ends with the timers of the node. */
  void start() {
    long period = Math.max(1, keepAliveNs / LOOKS);
    try {
      ScheduledFuture<?> _ =
          services
              .timers()
              .scheduleWithFixedDelay(this::look, period, period, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      services.errors().report("the node has ended", e);
    }
  }

  private void look() {
    try {
      List<Connection> all = connections.all();
      boolean judged = !isReadingStuck(all);
      long now = System.nanoTime();
      for (Connection connection : all) {
        PeerSession out = connection.outbound();
        PeerSession in = connection.inbound();
        connection.usage().sample(connection, now);
        look(connection, out, judged);
        if (in != out) {
          look(connection, in, judged);
        }
      }
    } catch (RuntimeException e) { // the next look comes nevertheless
      services.errors().report("keep-alive", e);
    }
  }

  private static boolean isReadingStuck(List<Connection> all) {
    boolean stuck = false;
    for (Connection connection : all) { // of all: each notes where it is
      PeerSession out = connection.outbound();
      PeerSession in = connection.inbound();
      stuck |= out != null && out.pulse().isStuck();
      stuck |= in != null && in != out && in.pulse().isStuck();
    }
    return stuck;
  }

  private void look(Connection connection, @Nullable PeerSession session, boolean judged) {
    if (session == null || !session.isReady()) {
      return;
    }
    Pulse pulse = session.pulse();
    int silent = pulse.silentLooks(session.receivedBytes(), judged);
    boolean quiet = pulse.isQuiet(session.data().sentBytes());
    if (silent >= LOOKS - 1) {
      lost(connection, session, "nothing received for keepAlive=" + services.config().keepAlive());
    } else if (silent == ASK_AFTER) {
      session.ping(System.nanoTime() | 1);
    } else if (session.receiveWindow().owesCredit()) {
      session.creditDue();
    } else if (quiet && session.pipe().isDrained()) {
      session.sendControl(ControlFrames.pong(0));
    }
  }

  /** The peer may only be stopped: then it learns, when it goes on, why it is alone. */
  private static void lost(Connection connection, PeerSession session, String facts) {
    String text = "no sign of life: " + facts;
    session.sendControl(ControlFrames.close(CloseReason.NO_SIGN_OF_LIFE, text));
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
    session.ping(System.nanoTime() | 1);
    services.later(() -> judge(connection, session, receivedBytes, false), SUSPICION_NS);
  }

  /** Timer: twice, so that a pause of this process gives it the time to read. */
  private void judge(
      Connection connection, PeerSession session, long receivedBytes, boolean again) {
    if (session.receivedBytes() != receivedBytes || connection.isEnded()) {
      session.pulse().acquit();
    } else if (again && !isInside()) {
      lost(connection, session, "neither a response nor an answer to a PING");
    } else {
      services.later(
          () -> judge(connection, session, receivedBytes, true), SUSPICION_NS / SECOND_LOOK);
    }
  }

  private boolean isInside() {
    for (Connection connection : connections.all()) {
      PeerSession out = connection.outbound();
      PeerSession in = connection.inbound();
      if ((out != null && out.pulse().isInside()) || (in != null && in.pulse().isInside())) {
        return true;
      }
    }
    return false;
  }
}
