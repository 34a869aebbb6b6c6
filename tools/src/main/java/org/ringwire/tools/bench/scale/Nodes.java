package org.ringwire.tools.bench.scale;

import java.lang.invoke.MethodHandles;
import java.time.Duration;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/** Opens the real nodes: with the defaults, except for what is asked for. */
final class Nodes {

  private Nodes() {}

  static Node open(int id, ScaleSpec spec, NodeDirectory peers) {
    return Node.open(
        NodeConfig.builder(id)
            .cluster(ScaleSpec.CLUSTER)
            .listen("127.0.0.1:0")
            .peers(peers)
            .lookup(MethodHandles.lookup())
            .keepAlive(Duration.ofMillis(spec.keepAliveMs()))
            .idleTime(Duration.ofMillis(spec.idleMs()))
            .sendTimeout(Duration.ofSeconds(30))
            .requestTimeout(Duration.ofSeconds(30))
            .build());
  }

  static NodeDirectory nobody() {
    return NodeDirectory.empty();
  }
}
