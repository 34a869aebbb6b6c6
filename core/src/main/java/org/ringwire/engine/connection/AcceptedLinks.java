package org.ringwire.engine.connection;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.connection.attempt.Addresses;
import org.ringwire.engine.services.NodeServices;

/**
 * The links that peers have opened, before anything is known of who they are: how many are in their
 * handshake, and how many there are from each address. What comes beyond the numbers is refused
 * ({@link Admissions} decides about the others when they have said who they are). Any thread.
 *
 * <p>Handshakes of one address are no more than they leave to others: one that opens links and says
 * nothing takes half of what there is, and does not keep others from connecting.
 */
final class AcceptedLinks {

  /** Peers that may be told at the same time that there are too many. */
  private static final int MOST_REFUSALS = 64;

  /**
   * Ready before a link ends: a lambda that finds no heap where it comes first is lost for ever.
   */
  private static final BinaryOperator<Integer> ONE_MORE = Integer::sum;

  @SuppressWarnings("UnnecessaryLambda")
  private static final BiFunction<String, Integer, @Nullable Integer> ONE_LESS =
      (host, count) -> count == 1 ? null : count - 1;

  private final NodeServices services;
  private final Connections connections;
  private final ConcurrentHashMap<String, Integer> links = new ConcurrentHashMap<>();
  private final Map<String, int[]> ofAddress = new HashMap<>(); // handshakes; with this held
  private volatile int handshakes; // of all addresses; written with this held
  private final AtomicInteger refusals = new AtomicInteger();

  AcceptedLinks(NodeServices services, Connections connections) {
    this.services = services;
    this.connections = connections;
  }

  /**
   * A peer has opened a link. If there are too many, it is told so, as long as not too many are
   * told at the same time: then null.
   */
  @Nullable PeerSession accept(String remote) {
    String host = Addresses.hostOf(remote);
    String refusal = refusal(host);
    boolean linked = refusal == null; // and in its handshake
    boolean refused = refusal != null && tryRefuse();
    PeerSession session = null;
    try {
      if (linked || refused) {
        session = new PeerSession(services, connections, linked ? host : null, refusal);
      } else {
        services.counters().handshakesRefused.increment();
      }
      return session;
    } finally {
      if (session == null) { // there may be no heap, and is no end of a link to take it back
        if (linked || refused) {
          handshakeEnded(linked ? host : null); // first: needs no heap
        }
        if (linked) {
          ended(host);
        }
      }
    }
  }

  /** Why a link from this address is refused; null if it is counted, and in its handshake. */
  private @Nullable String refusal(String host) {
    if (services.listening().isBehind()) {
      return "the listener of this node is too far behind";
    }
    if (!tryBegin(host)) {
      return "too many handshakes at a time: maxHandshakes=" + services.config().maxHandshakes();
    }
    boolean counted = false;
    try {
      counted = countLink(host);
    } finally {
      if (!counted) {
        handshakeEnded(host);
      }
    }
    return counted ? null : tooManyLinks(host);
  }

  /** One more handshake of this address; false if that would be more than it leaves to others. */
  synchronized boolean tryBegin(String host) {
    int[] own = ofAddress.get(host);
    int before = own == null ? 0 : own[0];
    if (before >= 2 * services.config().maxHandshakes() - handshakes) {
      return false;
    }
    if (own == null) {
      own = new int[1];
      ofAddress.put(host, own);
    }
    own[0]++;
    handshakes++;
    return true;
  }

  private boolean tryRefuse() {
    boolean may = refusals.incrementAndGet() <= MOST_REFUSALS;
    if (!may) {
      refusals.decrementAndGet();
    }
    return may;
  }

  /** Counts one more link of an address; false if it has too many. */
  private boolean countLink(String host) {
    boolean counts = links.merge(host, 1, ONE_MORE) <= services.config().maxConnectionsPerAddress();
    if (!counts) {
      ended(host);
    }
    return counts;
  }

  private String tooManyLinks(String host) {
    int most = services.config().maxConnectionsPerAddress();
    return "too many connections: address=" + host + " maxConnectionsPerAddress=" + most;
  }

  /** A link from this address has ended. */
  void ended(String host) {
    links.computeIfPresent(host, ONE_LESS);
  }

  /**
   * The handshake on one is over, or the link has ended before it was.
   *
   * @param host the address that it is from; null if it was only told that it is refused
   */
  void handshakeEnded(@Nullable String host) {
    if (host == null) {
      refusals.decrementAndGet();
    } else {
      end(host);
    }
  }

  private synchronized void end(String host) { // needs no heap
    int[] own = ofAddress.get(host);
    if (own != null && --own[0] == 0) {
      ofAddress.remove(host);
    }
    handshakes--;
  }

  /** How many are in their handshake, or are told that they are refused. */
  int handshakesNow() {
    return handshakes + refusals.get();
  }
}
