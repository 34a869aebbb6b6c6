/**
 * The protocol of the engine {@code msgud}: a reliable, ordered stream of segments over datagrams
 * that may be lost, doubled and reordered. Knows nothing of verbs, threads and sockets; time comes
 * in by parameter.
 */
@NullMarked
package org.ringwire.infiniband.datagram;

import org.jspecify.annotations.NullMarked;
