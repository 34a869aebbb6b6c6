package org.ringwire.infiniband.memory;

import org.ringwire.codec.Message;

/**
 * The owner's end is ready.
 *
 * @param life of the owner's memory: descriptors of another one are not for this queue pair
 * @param end the owner's
 */
@Message(name = "ringwire.ib.memory.admission")
public record Admission(long life, QueueEnd end) {}
