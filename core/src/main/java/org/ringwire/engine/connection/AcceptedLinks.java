package org.ringwire.engine.connection;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.connection.attempt.Addresses;
import org.ringwire.engine.services.NodeServices;

/**
 * The links that peers have opened, before anything is known of who they are: how many are in their
 * handshake, and how many there are from each address. What comes beyond the numbers is refused
 * ({@link Admissions} decides about the others when they have said who they are). Any thread.
 */
final class AcceptedLinks {

  /** Peers that may be told at the same time that there are too many. */
  private static final int MOST_REFUSALS = 64;

  private final NodeServices services;
  private final Connections connections;
  private final ConcurrentHashMap<String, Integer> links = new ConcurrentHashMap<>();
  private final AtomicInteger handshakes = new AtomicInteger();

  AcceptedLinks(NodeServices services, Connections connections) {
    this.services = services;
    this.connections = connections;
  }

  /**
   * A peer has opened a link. If there are too many, it is told so, as long as not too many are
   * told at the same time: then null.
   */
  @Nullable PeerSession accept(String remote) {
    String counted = null;
    PeerSession session = null;
    int begun = handshakes.incrementAndGet();
    try {
      String refusal = refusal(begun);
      if (refusal == null) {
        counted = countLink(Addresses.hostOf(remote));
        refusal = counted == null ? tooManyLinks(remote) : null;
      }
      if (begun <= services.config().maxHandshakes() + MOST_REFUSALS) {
        session = new PeerSession(services, connections, counted, refusal);
      } else {
        services.counters().handshakesRefused.increment();
      }
      return session;
    } finally {
      if (session == null) { // there may be no heap, and is no end of a link to take it back
        handshakes.decrementAndGet();
        if (counted != null) {
          ended(counted);
        }
      }
    }
  }

  private @Nullable String refusal(int begun) {
    int most = services.config().maxHandshakes();
    if (services.listening().isBehind()) {
      return "the listener of this node is too far behind";
    }
    return begun > most ? "too many handshakes at a time: maxHandshakes=" + most : null;
  }

  /** The address, one more link of which is counted; null if it has too many. */
  private @Nullable String countLink(String host) {
    if (links.merge(host, 1, Integer::sum) <= services.config().maxConnectionsPerAddress()) {
      return host;
    }
    ended(host);
    return null;
  }

  private String tooManyLinks(String remote) {
    String limit = " maxConnectionsPerAddress=" + services.config().maxConnectionsPerAddress();
    return "too many connections: address=" + Addresses.hostOf(remote) + limit;
  }

  /** A link from this address has ended. */
  void ended(String host) {
    links.computeIfPresent(host, (key, count) -> count == 1 ? null : count - 1);
  }

  /** The handshake on one is over, or the link has ended before it was. */
  void handshakeEnded() {
    handshakes.decrementAndGet();
  }

  /** How many are in their handshake. */
  int handshakesNow() {
    return handshakes.get();
  }
}
