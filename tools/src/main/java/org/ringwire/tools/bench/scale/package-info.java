/**
 * What a node with many peers costs: {@code ./ringwire bench scale}. The node under measurement and
 * the peer that it is busy with are real ones in processes of their own; all other peers are farmed
 * ({@link org.ringwire.tools.bench.scale.PeerFarm}): they speak the protocol and do nothing else,
 * because thousands of real nodes would need more threads than a machine has.
 */
@NullMarked
package org.ringwire.tools.bench.scale;

import org.jspecify.annotations.NullMarked;
