package org.ringwire.tools.bench.scale;

/**
 * Peers that a node has connected to, and exchanged messages with.
 *
 * @param peers connections of the node now
 * @param seconds that it took
 */
record Connected(int peers, double seconds) {}
