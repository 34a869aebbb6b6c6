package org.ringwire.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.ringwire.Node;
import org.ringwire.NodeUnreachableException;
import org.ringwire.engine.connection.ConnectResult;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.connection.Connections;
import org.ringwire.engine.outbound.MessageSender;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.outbound.Waits;
import org.ringwire.engine.services.NodeServices;

/**
 * The way of a call from the id of a node, or its address, to an open connection: finds it, begins
 * it if there is none, and waits for it. Any thread; those that may wait for nothing are told so.
 */
final class Connecting {

  private final NodeServices services;
  private final Connections connections;
  private final NodeClose close;

  Connecting(NodeServices services, Connections connections, NodeClose close) {
    this.services = services;
    this.connections = connections;
    this.close = close;
  }

  static int check(int nodeId) {
    if (nodeId < 0 || nodeId > Node.MAX_ID) {
      throw new IllegalArgumentException("node id must be in 0..65535: nodeId=" + nodeId);
    }
    return nodeId;
  }

  /** Whether the current thread may wait for a connection. */
  static boolean mayWait() {
    return !SendContext.current().isInline();
  }

  /** See {@link Node#connect(String, Duration)}. */
  int toAddress(String peer, Duration timeout) {
    if (!mayWait()) {
      throw new IllegalStateException(
          "an inline handler may not wait for a connection: register it as POOLED or BLOCKING:"
              + " address="
              + peer);
    }
    close.requireOpen();
    long deadlineNs = System.nanoTime() + Timeouts.nanos(timeout);
    Waits.begin();
    int nodeId = ask(peer, timeout);
    if (nodeId != services.config().nodeId()) {
      connections.learn(nodeId, peer);
      awaitSender(nodeId, deadlineNs);
    }
    return nodeId;
  }

  private int ask(String peer, Duration timeout) {
    try {
      return Inquiry.ask(services, connections, close.closing(), peer, timeout);
    } catch (NodeUnreachableException e) {
      close.requireOpen(); // as in awaitConnection
      throw e;
    }
  }

  /** The sender to a node if its connection is open. */
  @Nullable MessageSender senderTo(int nodeId) {
    check(nodeId);
    Connection connection = connections.get(nodeId);
    return connection == null || close.isBegun() ? null : connection.sender();
  }

  /** The connection to a node if data can be sent on it. */
  @Nullable Connection openConnection(int nodeId) {
    check(nodeId);
    Connection connection = connections.get(nodeId); // once: another one may come in its place
    boolean isOpen = connection != null && !close.isBegun() && connection.sender() != null;
    return isOpen ? connection : null;
  }

  /** The sender to a node; connects if need be, and waits for it. */
  MessageSender awaitSender(int nodeId, long deadlineNs) {
    while (true) {
      MessageSender sender = awaitConnection(nodeId, deadlineNs).sender();
      if (sender != null) { // else it was closed in the meantime
        return sender;
      }
    }
  }

  /** The connection to a node, which was open just now; connects if need be, and waits for it. */
  Connection awaitConnection(int nodeId, long deadlineNs) {
    check(nodeId);
    while (true) {
      close.requireOpen();
      Connection connection = connections.get(nodeId);
      if (connection != null && connection.sender() != null) {
        return connection;
      }
      SendContext.current().forgetClock(); // a directory, and connecting, may take their time
      if (connection == null) {
        connection = begin(nodeId);
      }
      if (connection.sender() != null) {
        return connection;
      }
      if (!mayWait()) {
        throw new IllegalStateException(
            "an inline handler may not wait for a connection: register it as POOLED or BLOCKING,"
                + " or use trySend and whenWritable, which do not wait: nodeId="
                + nodeId);
      }
      long dismissals = connection.dismissals(); // before the look at what this thread holds
      boolean ending = isEnding(connection);
      if (ending && !Waits.mayWaitForEnd(connection)) {
        throw unreachable(
            nodeId, "their connection ends, and waits for what this thread does", null);
      }
      if (!connection.awaitOpen(deadlineNs, ending, dismissals)) {
        close.requireOpen(); // else it would be the other node that cannot be reached
        if (connection.orderlyEnd().isAwaitedByPeer()) {
          throw unreachable(nodeId, "it closes, and may wait for what this thread does", null);
        }
        if (connection.neverOpened() && !connection.attempt().isBrokenOff()) {
          throw unreachable(nodeId, AttemptWatch.whyNotOpen(connection), null);
        }
        if (System.nanoTime() - deadlineNs >= 0) {
          throw unreachable(nodeId, "its connection was closed, and was not back in time", null);
        }
      } else if (connection.sender() != null) {
        return connection;
      }
    }
  }

  /**
   * Whether a connection to this node may be waited for, by the current thread or by another one
   * for which it waits; false if that is in vain.
   */
  boolean mayWaitFor(int nodeId) {
    Connection connection = connections.get(nodeId);
    return connection == null || !isEnding(connection) || Waits.mayWaitForEnd(connection);
  }

  /** Whether it has to be waited for until it has ended, and another one begins. */
  private static boolean isEnding(Connection connection) {
    return connection.isDraining() && !connection.orderlyEnd().isAwaitedByPeer();
  }

  private Connection begin(int nodeId) {
    return switch (connections.connect(nodeId)) {
      case ConnectResult.Begun begun -> begun.connection();
      case ConnectResult.BacksOff backsOff -> throw unreachable(nodeId, backsOff.why(), null);
      case ConnectResult.NodeCloses closes -> throw closes.failure();
      case ConnectResult.Unknown unknown -> throw unreachable(nodeId, unknown.why(), null);
      case ConnectResult.DirectoryFailed failed ->
          throw unreachable(nodeId, failed.why(), failed.cause());
    };
  }

  private static NodeUnreachableException unreachable(
      int nodeId, String why, @Nullable Exception cause) {
    return new NodeUnreachableException("cannot reach node: nodeId=" + nodeId + ": " + why, cause);
  }
}
