package org.ringwire.transport;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.Tls;

/**
 * What a transport needs to know of its node.
 *
 * @param nodeId id of the node, part of the names of threads
 * @param ioThreads number of threads that wait for the medium
 * @param idleStrategy how those threads wait
 * @param ringCapacity bytes of a send ring, a measure for the buffers of the medium
 * @param connectTimeout bounds a connection attempt
 * @param cluster name of the cluster that peers must belong to
 * @param tls keys and certificates, or null for links without TLS; a transport that has no TLS
 *     refuses to open with it
 * @param threadStarted to be called first by each platform thread of the transport, with itself;
 *     throws nothing
 */
public record TransportConfig(
    int nodeId,
    int ioThreads,
    IdleStrategy idleStrategy,
    int ringCapacity,
    Duration connectTimeout,
    String cluster,
    @Nullable Tls tls,
    Consumer<Thread> threadStarted) {

  /** Nobody hears of its threads. */
  public TransportConfig(
      int nodeId,
      int ioThreads,
      IdleStrategy idleStrategy,
      int ringCapacity,
      Duration connectTimeout,
      String cluster,
      @Nullable Tls tls) {
    this(nodeId, ioThreads, idleStrategy, ringCapacity, connectTimeout, cluster, tls, _ -> {});
  }

  /** Without TLS, in the cluster {@code default}. */
  public TransportConfig(
      int nodeId,
      int ioThreads,
      IdleStrategy idleStrategy,
      int ringCapacity,
      Duration connectTimeout) {
    this(nodeId, ioThreads, idleStrategy, ringCapacity, connectTimeout, "default", null);
  }
}
