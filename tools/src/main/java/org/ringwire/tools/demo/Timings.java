package org.ringwire.tools.demo;

import org.ringwire.tools.demo.cluster.Outcome;

/**
 * What a run took beside search and PageRank, which {@link Outcome} has.
 *
 * @param graphNanos starting the nodes and reading all class files
 * @param checkNanos the same work in a single process, and the comparison
 * @param totalNanos everything
 */
record Timings(long graphNanos, long checkNanos, long totalNanos) {}
