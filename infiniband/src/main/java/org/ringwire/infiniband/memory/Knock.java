package org.ringwire.infiniband.memory;

import org.ringwire.codec.Message;

/**
 * A node wants to use memory of the receiver, over a new queue pair; the one that it has had until
 * now is done with. Answered by {@link Admission}.
 *
 * @param end the sender's
 */
@Message(name = "ringwire.ib.memory.knock")
public record Knock(QueueEnd end) {}
