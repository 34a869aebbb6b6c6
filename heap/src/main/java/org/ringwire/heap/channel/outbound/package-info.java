/**
 * The end of a heap channel that writes: streams, and the two paths that blocks take. Knows nothing
 * of the other end but what {@link org.ringwire.heap.channel.ChannelMessages} say.
 */
@NullMarked
package org.ringwire.heap.channel.outbound;

import org.jspecify.annotations.NullMarked;
