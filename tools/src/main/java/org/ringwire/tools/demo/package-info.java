/**
 * The main job: breadth-first search and PageRank over the classes of the running JDK, spread over
 * several nodes that send each other one small record per edge.
 *
 * <p>In order of a run: {@link org.ringwire.tools.demo.DemoCommand} starts a {@link
 * org.ringwire.tools.demo.cluster.Cluster}, the {@link org.ringwire.tools.demo.cluster.Coordinator}
 * leads its {@link org.ringwire.tools.demo.worker.Worker}s through the phases, and {@link
 * org.ringwire.tools.demo.check.Verification} compares the outcome with {@link
 * org.ringwire.tools.demo.check.SingleProcessRun}.
 */
@NullMarked
package org.ringwire.tools.demo;

import org.jspecify.annotations.NullMarked;
