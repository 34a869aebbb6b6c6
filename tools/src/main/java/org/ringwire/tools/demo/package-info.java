/**
 * The main job: breadth-first search and PageRank over the classes of the running JDK, spread over
 * several nodes that send each other one small record per edge.
 *
 * <p>In order of a run: {@link org.ringwire.tools.demo.DemoCommand} starts a {@link
 * org.ringwire.tools.demo.Cluster}, the {@link org.ringwire.tools.demo.Coordinator} leads its
 * {@link org.ringwire.tools.demo.Worker}s through the phases, and {@link
 * org.ringwire.tools.demo.Verification} compares the outcome with {@link
 * org.ringwire.tools.demo.SingleProcessRun}.
 */
@NullMarked
package org.ringwire.tools.demo;

import org.jspecify.annotations.NullMarked;
