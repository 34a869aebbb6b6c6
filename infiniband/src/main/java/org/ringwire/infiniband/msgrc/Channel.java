package org.ringwire.infiniband.msgrc;

import org.ringwire.infiniband.verbs.RcQueuePair;

/**
 * A connected queue pair with what belongs to it.
 *
 * @param queuePair closed by {@link ChannelData}
 * @param queue the sending half
 */
record Channel(RcQueuePair queuePair, SendQueue queue) {}
