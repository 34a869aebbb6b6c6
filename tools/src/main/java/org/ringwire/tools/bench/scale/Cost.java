package org.ringwire.tools.bench.scale;

/**
 * What messages on one connection cost.
 *
 * @param messages that were handled by the peer
 * @param wallNanos from the first to the last one handled
 * @param cpuNanos processor time of the node's process meanwhile
 * @param rttMicros median of the round trips of single requests
 */
record Cost(long messages, long wallNanos, long cpuNanos, double rttMicros) {}
