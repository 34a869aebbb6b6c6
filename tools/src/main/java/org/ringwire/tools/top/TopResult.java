package org.ringwire.tools.top;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeMetrics;
import org.ringwire.NodeMetrics.ConnectionMetrics;
import org.ringwire.NodeMetrics.SlowHandler;

/**
 * What happened between two looks at a node: one line of JSON. Rates are per second, in the time of
 * the node.
 *
 * @param nodeId the node
 * @param ageSeconds since it was opened
 * @param intervalSeconds between the two looks
 * @param connections open connections
 * @param messagesSent messages written, per second
 * @param messagesReceived messages that arrived, per second
 * @param messagesHandled messages whose handler has ended, per second
 * @param bytesSent bytes written, per second
 * @param bytesReceived bytes that arrived, per second
 * @param blockedSenders threads that waited for room, on average
 * @param queuedMessages messages that wait for handlers, or are in them
 * @param handlersBusy pool threads that run something
 * @param handlerThreads pool threads
 * @param handlersWaiting threads that wait for other nodes inside of a handler
 * @param requestsOutstanding requests without an answer
 * @param handlerFailures handlers that threw, in all
 * @param connectionsLost in all
 * @param messagesLost not written when their connection ended, in all
 * @param messagesUncertain written, and not known to be processed when it ended, in all
 * @param framesRejected in all
 * @param windowBytes bytes granted to peers
 * @param nativeBytes native memory of the process
 * @param peers each connection, the busiest first
 * @param slowHandlers types whose handlers were slow, the slowest first
 */
record TopResult(
    int nodeId,
    double ageSeconds,
    double intervalSeconds,
    int connections,
    double messagesSent,
    double messagesReceived,
    double messagesHandled,
    double bytesSent,
    double bytesReceived,
    double blockedSenders,
    long queuedMessages,
    int handlersBusy,
    int handlerThreads,
    int handlersWaiting,
    long requestsOutstanding,
    long handlerFailures,
    long connectionsLost,
    long messagesLost,
    long messagesUncertain,
    long framesRejected,
    long windowBytes,
    long nativeBytes,
    List<Peer> peers,
    List<Slow> slowHandlers) {

  private static final double NS = 1e9;

  /**
   * One connection.
   *
   * @param nodeId the peer
   * @param messagesSent per second
   * @param messagesReceived per second
   * @param bytesSent per second
   * @param bytesReceived per second
   * @param windowFill how full the peer's window is, 0 to 1
   * @param ringFill how full the send ring is, 0 to 1
   * @param waitingSenders threads that wait for room now
   * @param queuedMessages messages that wait for handlers here, or are in them
   * @param longestQueue the same in the longest queue
   */
  record Peer(
      int nodeId,
      double messagesSent,
      double messagesReceived,
      double bytesSent,
      double bytesReceived,
      double windowFill,
      double ringFill,
      int waitingSenders,
      long queuedMessages,
      long longestQueue) {

    double messages() {
      return messagesSent + messagesReceived;
    }
  }

  /**
   * A type whose handler was slow.
   *
   * @param messageType its name
   * @param count how often
   * @param longestMillis the longest time
   * @param lastMillis the last time
   */
  record Slow(String messageType, long count, double longestMillis, double lastMillis) {
    static Slow of(SlowHandler slow) {
      return new Slow(
          slow.messageType(), slow.count(), slow.longestNs() / 1e6, slow.lastNs() / 1e6);
    }
  }

  /** What happened between two looks at the same life of a node. */
  static TopResult between(NodeMetrics before, NodeMetrics now) {
    double seconds = Math.max(1, now.ageNs() - before.ageNs()) / NS;
    Map<Integer, ConnectionMetrics> earlier = new HashMap<>();
    before.connections().forEach(connection -> earlier.put(connection.nodeId(), connection));
    List<Peer> peers =
        now.connections().stream()
            .map(connection -> peer(earlier.get(connection.nodeId()), connection, seconds))
            .sorted(Comparator.comparingDouble(Peer::messages).reversed())
            .toList();
    return new TopResult(
        now.nodeId(),
        now.ageNs() / NS,
        seconds,
        now.connections().size(),
        rate(before.messagesSent(), now.messagesSent(), seconds),
        rate(before.messagesReceived(), now.messagesReceived(), seconds),
        rate(before.messagesHandled(), now.messagesHandled(), seconds),
        rate(before.bytesSent(), now.bytesSent(), seconds),
        rate(before.bytesReceived(), now.bytesReceived(), seconds),
        rate(before.blockedNs(), now.blockedNs(), seconds) / NS,
        peers.stream().mapToLong(Peer::queuedMessages).sum(),
        now.handlers().busy(),
        now.handlers().threads(),
        now.handlers().waiting(),
        now.requestsOutstanding(),
        now.handlerFailures(),
        now.connectionsLost(),
        now.messagesLost(),
        now.messagesUncertain(),
        now.framesRejected(),
        now.memory().windowBytes(),
        now.nativeBytes(),
        peers,
        now.handlers().slow().stream().map(Slow::of).toList());
  }

  /** A connection that is younger than the last look has begun at zero. */
  private static Peer peer(
      @Nullable ConnectionMetrics before, ConnectionMetrics now, double seconds) {
    boolean same = before != null && before.bytesSent() <= now.bytesSent();
    ConnectionMetrics earlier = same ? before : null;
    return new Peer(
        now.nodeId(),
        rate(earlier == null ? 0 : earlier.messagesSent(), now.messagesSent(), seconds),
        rate(earlier == null ? 0 : earlier.messagesReceived(), now.messagesReceived(), seconds),
        rate(earlier == null ? 0 : earlier.bytesSent(), now.bytesSent(), seconds),
        rate(earlier == null ? 0 : earlier.bytesReceived(), now.bytesReceived(), seconds),
        now.windowFill(),
        now.ringFill(),
        now.waitingSenders(),
        now.queuedMessages(),
        now.longestQueue());
  }

  private static double rate(long before, long now, double seconds) {
    return Math.max(0, now - before) / seconds;
  }
}
