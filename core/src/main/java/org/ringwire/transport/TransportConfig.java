package org.ringwire.transport;

import java.time.Duration;
import org.ringwire.IdleStrategy;

/**
 * What a transport needs to know of its node.
 *
 * @param nodeId id of the node, part of the names of threads
 * @param ioThreads number of threads that wait for the medium
 * @param idleStrategy how those threads wait
 * @param ringCapacity bytes of a send ring, a measure for the buffers of the medium
 * @param connectTimeout bounds a connection attempt
 */
public record TransportConfig(
    int nodeId,
    int ioThreads,
    IdleStrategy idleStrategy,
    int ringCapacity,
    Duration connectTimeout) {}
