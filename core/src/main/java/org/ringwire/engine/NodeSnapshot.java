package org.ringwire.engine;

import java.util.ArrayList;
import java.util.List;
import org.ringwire.NodeMetrics;
import org.ringwire.NodeMetrics.ConnectionMetrics;
import org.ringwire.metrics.EngineCounters;
import org.ringwire.ring.NativeMemory;

/** Reads what a node has counted. */
final class NodeSnapshot {

  private NodeSnapshot() {}

  static NodeMetrics of(NodeServices services, Connections connections) {
    List<ConnectionMetrics> open = new ArrayList<>();
    EngineCounters counters = services.counters();
    long sent = counters.endedMessagesSent.sum();
    for (Connection connection : connections.all()) {
      PeerSession data = connection.dataSession();
      if (data != null) {
        SessionTotals totals = data.data().totals();
        sent += totals.started();
        PeerSession in = connection.inbound();
        open.add(
            new ConnectionMetrics(
                connection.nodeId(),
                totals.started(),
                totals.bytes(),
                totals.writes(),
                totals.stalls(),
                totals.pendingBytes(),
                totals.uncreditedBytes(),
                in == null ? 0 : in.receivedBytes()));
      }
    }
    return new NodeMetrics(
        open,
        sent,
        counters.messagesReceived.sum(),
        counters.messagesHandled.sum(),
        counters.handlerFailures.sum(),
        services.requests().late(),
        counters.unhandled.sum(),
        counters.framesRejected.sum(),
        counters.rejections(),
        counters.handshakesRefused.sum(),
        counters.connectionsLost.sum(),
        counters.connectionsClosed.sum(),
        counters.ends(),
        services.requests().outstanding(),
        NativeMemory.openBytes());
  }
}
