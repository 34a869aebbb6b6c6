package org.ringwire.heap.channel;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.ringwire.Node;
import org.ringwire.RemoteHandlerException;
import org.ringwire.RequestTimeoutException;
import org.ringwire.heap.ChannelTimeoutException;
import org.ringwire.heap.GraphLostException;

/**
 * Where a stream leaves from, and its requests.
 *
 * @param stream its number
 * @param timeout of each wait
 */
record SenderEnd(Node node, int peer, long stream, Duration timeout) {
  private static final String NO_ANSWER = "the node did not answer in time";
  private static final String NO_ROOM =
      "the node has not read in time, and has no room for a graph";

  /** As {@link Node#request}, with the exceptions of channels. */
  <R> R request(Object message, Class<R> type) {
    return request(message, type, NO_ANSWER);
  }

  /** As {@link #request(Object, Class)}, for room, which may take until somebody reads. */
  <R> R requestRoom(Object message, Class<R> type) {
    return request(message, type, NO_ROOM);
  }

  private <R> R request(Object message, Class<R> type, String whenLate) {
    try {
      return node.request(peer, message, type, timeout);
    } catch (RemoteHandlerException e) {
      throw new GraphLostException("a graph is lost: nodeId=" + peer + ": " + e.getMessage(), e);
    } catch (RequestTimeoutException e) {
      throw late(whenLate, e);
    }
  }

  <R> CompletableFuture<R> requestAsync(Object message, Class<R> type) {
    return node.requestAsync(peer, message, type, timeout);
  }

  void send(Object message) {
    node.send(peer, message, timeout);
  }

  ChannelTimeoutException late(String what, Exception cause) {
    return new ChannelTimeoutException(what + ": nodeId=" + peer + " timeout=" + timeout, cause);
  }
}
