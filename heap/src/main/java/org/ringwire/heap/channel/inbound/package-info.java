/**
 * The end of a heap channel that reads: what has arrived, where it waits, and who reads it. Knows
 * nothing of the other end but what {@link org.ringwire.heap.channel.ChannelMessages} say.
 */
@NullMarked
package org.ringwire.heap.channel.inbound;

import org.jspecify.annotations.NullMarked;
