package org.ringwire.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ringwire.Handler;
import org.ringwire.NodeMetrics;
import org.ringwire.NodeMetrics.ConnectionMetrics;
import org.ringwire.NodeMetrics.HandlerMetrics;
import org.ringwire.NodeMetrics.MemoryMetrics;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.connection.Connections;
import org.ringwire.engine.connection.PeerSession;
import org.ringwire.engine.connection.link.SessionTotals;
import org.ringwire.engine.connection.link.Traffic;
import org.ringwire.engine.inbound.WindowBudget;
import org.ringwire.engine.inbound.workers.HandlerPool;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.management.Inspect;
import org.ringwire.metrics.EngineCounters;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.transport.Link;

/** Reads what a node has counted. */
final class NodeSnapshot {

  private NodeSnapshot() {}

  /** Answers peers that ask; blocking, so that it does also when the handler pool is stuck. */
  static Handler<Inspect> answers(NodeServices services, Connections connections) {
    services.config().catalog().typeOf(NodeMetrics.class); // its codec takes a while to make
    return (inspect, exchange) -> {
      if (exchange.isRequest()) {
        exchange.reply(of(services, connections, inspect.connections()));
      }
    };
  }

  static NodeMetrics of(NodeServices services, Connections connections, boolean listed) {
    EngineCounters counters = services.counters();
    Traffic traffic = connections.traffic();
    long handled = counters.messagesHandled.sum();
    return new NodeMetrics(
        services.config().nodeId(),
        counters.ageNs(),
        listed ? connections(services, connections) : List.of(),
        traffic.messagesSent(),
        traffic.bytesSent(),
        counters.received(handled),
        traffic.bytesReceived(),
        handled,
        counters.handlerFailures.sum(),
        services.requests().late(),
        counters.unhandled.sum(),
        counters.framesRejected.sum(),
        counters.rejections(),
        connections.handshakesNow(),
        counters.handshakesRefused.sum(),
        counters.connectAttempts.sum(),
        counters.connectFailures.sum(),
        counters.connectionsLost.sum(),
        counters.connectionsClosed.sum(),
        counters.ends(),
        counters.messagesLost.sum(),
        counters.messagesUncertain.sum(),
        services.requests().outstanding() + services.requests().waiting(),
        traffic.stalls(),
        traffic.blockedNs(),
        handlers(services),
        memory(services),
        NativeMemory.openBytes(),
        services.transport().counters());
  }

  private static List<ConnectionMetrics> connections(
      NodeServices services, Connections connections) {
    List<ConnectionMetrics> open = new ArrayList<>();
    for (Connection connection : connections.all()) {
      PeerSession data = connection.dataSession();
      if (data != null) {
        open.add(connection(services, connection, data));
      }
    }
    return open;
  }

  private static ConnectionMetrics connection(
      NodeServices services, Connection connection, PeerSession data) {
    SessionTotals totals = data.data().current();
    Traffic traffic = connection.traffic();
    Link link = data.link();
    PeerSession in = connection.inbound();
    long[] queues = in == null ? new long[0] : in.inbound().queueLengths();
    return new ConnectionMetrics(
        connection.nodeId(),
        link == null ? "" : services.transportOf(link),
        totals.started(),
        traffic.bytesSent(),
        totals.writes(),
        totals.stalls().stalls(),
        totals.stalls().blockedNs(),
        totals.stalls().waiting(),
        totals.pendingBytes(),
        totals.ringCapacity(),
        totals.uncreditedBytes(),
        totals.window(),
        totals.detachedBytes(),
        in == null ? 0 : in.inbound().totalMessages(),
        traffic.bytesReceived(),
        in == null ? 0 : Math.max(0, in.receiveWindow().unprocessed()),
        in == null ? 0 : in.receiveWindow().window(),
        Arrays.stream(queues).sum(),
        Arrays.stream(queues).max().orElse(0));
  }

  private static HandlerMetrics handlers(NodeServices services) {
    HandlerPool pool = services.handlers();
    return new HandlerMetrics(
        pool.size(), pool.busy(), pool.waiting(), services.slowHandlers().snapshot());
  }

  private static MemoryMetrics memory(NodeServices services) {
    WindowBudget windows = services.windows();
    ReceiveBufferPool buffers = services.buffers();
    return new MemoryMetrics(
        windows.size() - windows.available(),
        windows.size(),
        services.grants().granted(),
        buffers.outstandingBytes(),
        buffers.idleBytes(),
        MemoryBudget.committed(),
        MemoryBudget.limit());
  }
}
