package org.ringwire.transport;

import java.time.Duration;
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
 */
public record TransportConfig(
    int nodeId,
    int ioThreads,
    IdleStrategy idleStrategy,
    int ringCapacity,
    Duration connectTimeout,
    String cluster,
    @Nullable Tls tls) {

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
