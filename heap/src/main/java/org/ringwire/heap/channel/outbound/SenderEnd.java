package org.ringwire.heap.channel.outbound;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.RemoteHandlerException;
import org.ringwire.RequestTimeoutException;
import org.ringwire.heap.ChannelTimeoutException;
import org.ringwire.heap.GraphLostException;
import org.ringwire.heap.channel.ChannelMessages;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.heap.channel.ChannelsClosedException;

/** Where a stream leaves from, and its requests. Any thread, but for {@link #bound}. */
final class SenderEnd {
  private static final String NO_ANSWER = "the node did not answer in time";
  private static final String NO_ROOM =
      "the node has not read in time, and has no room for a graph";

  /** So often a request is made again that another has ended which was older. */
  private static final int MOST_OVERTAKEN = 3;

  private final Node node;
  private final int peer;
  private final long stream;
  private final RoomWait roomWait;
  private final Executor elsewhere;
  private volatile Duration timeout;

  /**
   * A new one.
   *
   * @param stream its number
   * @param timeout of each wait
   * @param roomWait of the thread that writes
   */
  SenderEnd(
      Node node, int peer, long stream, Duration timeout, RoomWait roomWait, Executor elsewhere) {
    this.node = node;
    this.peer = peer;
    this.stream = stream;
    this.timeout = timeout;
    this.roomWait = roomWait;
    this.elsewhere = elsewhere;
  }

  /** Runs what those that take answers may not wait for. */
  Executor elsewhere() {
    return elsewhere;
  }

  int peer() {
    return peer;
  }

  long stream() {
    return stream;
  }

  Duration timeout() {
    return timeout;
  }

  RoomWait roomWait() {
    return roomWait;
  }

  /** The timeout of the waits that begin from now on; the thread that writes. */
  void bound(Duration each) {
    timeout = each;
  }

  /** As {@link Node#request}, with the exceptions of channels. */
  <R> R request(Object message, Class<R> type) {
    try {
      return node.request(peer, message, type, timeout);
    } catch (RemoteHandlerException e) {
      throw lost(e);
    } catch (RequestTimeoutException e) {
      throw late(NO_ANSWER, e);
    }
  }

  /**
   * As {@link #request}, for room, which may take until somebody reads.
   *
   * @throws ChannelsClosedException if the channels are closed meanwhile; the stream is as it was
   */
  <R> R requestRoom(Object message, Class<R> type) {
    for (int overtaken = 0; ; overtaken++) {
      try {
        return roomWait.await(requestAsync(message, type));
      } catch (ExecutionException e) {
        if (overtaken == MOST_OVERTAKEN || !isOvertaken(e.getCause())) {
          throw noRoom(e);
        }
      }
    }
  }

  /** An older request, which has timed out, was handled after this one, as if it was the newer. */
  private static boolean isOvertaken(@Nullable Throwable cause) {
    return cause instanceof RemoteHandlerException
        && String.valueOf(cause.getMessage()).contains(ChannelMessages.ASKED_ANEW);
  }

  private MessagingException noRoom(ExecutionException e) {
    return switch (e.getCause()) {
      case RemoteHandlerException failure -> lost(failure);
      case RequestTimeoutException timeout -> late(NO_ROOM, timeout);
      case MessagingException other -> other;
      case null, default -> new GraphLostException("no room: nodeId=" + peer, e);
    };
  }

  /** Begins the stream. */
  Opened open() {
    try {
      return node.request(peer, new Open(stream, ChannelMessages.VERSION), Opened.class, timeout);
    } catch (RemoteHandlerException e) {
      throw new GraphLostException(
          "the node takes no graphs; does it have heap channels? " + e.getMessage(), e);
    } catch (RequestTimeoutException e) {
      throw late(NO_ANSWER, e);
    }
  }

  /**
   * How far the stream may go, by an answer to its sender.
   *
   * @throws UnknownStreamException if the receiver does not know it
   */
  long known(long granted) {
    if (granted == ChannelMessages.NO_STREAM) {
      throw new UnknownStreamException(peer);
    }
    return granted;
  }

  /** What another node has failed with names that node. */
  private static GraphLostException lost(RemoteHandlerException cause) {
    return new GraphLostException("a graph is lost: " + cause.getMessage(), cause);
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
