package org.ringwire.tools.bench.pair;

import java.lang.invoke.MethodHandles;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeListener;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.tools.options.ThrowAwayTls;
import org.ringwire.tools.options.Transports;
import org.ringwire.tools.process.Leftovers;

/** The two nodes of a benchmark. */
public final class BenchNodes {

  /** Name of the cluster. */
  public static final String CLUSTER = "bench";

  /** Id of the node that sends. */
  static final int SENDER = 1;

  /** Id of the node that receives. */
  public static final int RECEIVER = 2;

  private static final int DEFAULT_MESSAGE_LIMIT = 64 << 20;
  private static final int OVERHEAD = 64;

  private BenchNodes() {}

  /** The receiver, listening. */
  static Node receiver(BenchSpec spec) {
    return open(spec, RECEIVER, listenAddress(spec), NodeDirectory.empty(), new NodeListener() {});
  }

  /** The sender, which does not listen: responses come back over the channel that it opens. */
  static Node sender(BenchSpec spec, NodeDirectory receiver, NodeListener listener) {
    return open(spec, SENDER, null, receiver, listener);
  }

  private static Node open(
      BenchSpec spec, int id, @Nullable String listen, NodeDirectory peers, NodeListener listener) {
    MessageCatalog catalog = new MessageCatalog(MethodHandles.lookup());
    if (spec.codec() == BenchSpec.PayloadKind.HAND) {
      catalog.register(Payload.class, new PayloadCodec());
    }
    NodeConfig.Builder config =
        NodeConfig.builder(id)
            .cluster(CLUSTER)
            .transport(spec.transport())
            .peers(peers)
            .listener(listener)
            .catalog(catalog)
            .idleStrategy(spec.mode().strategy())
            .drainMode(spec.drain().mode)
            .handlerThreads(spec.handlers())
            .connectTimeout(Duration.ofSeconds(30)) // with more threads than cores that never park
            .sendTimeout(Duration.ofSeconds(30))
            .maxMessageLength(Math.max(DEFAULT_MESSAGE_LIMIT, spec.payloadBytes() + OVERHEAD));
    String folder = spec.tlsFolder();
    if (folder != null) {
      config.tls(ThrowAwayTls.load(folder));
    }
    if (listen != null) {
      config.listen(listen);
    }
    return Leftovers.open(config.build());
  }

  private static String listenAddress(BenchSpec spec) {
    return Transports.localAddress(spec.transport(), "bench-receiver");
  }
}
