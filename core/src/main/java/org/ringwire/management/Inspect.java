package org.ringwire.management;

import org.ringwire.codec.Message;

/**
 * A request that a node answers with its {@link org.ringwire.NodeMetrics}, if its configuration
 * allows it ({@link org.ringwire.NodeConfig.Builder#inspectable}); others have no handler for it.
 * Who asks has proved what every peer must prove.
 *
 * @param connections whether the answer lists the connections
 */
@Message(name = "org.ringwire.management.Inspect")
public record Inspect(boolean connections) {}
