/** What heap channels say to each other, and both ends of a channel. Not exported. */
@NullMarked
package org.ringwire.heap.channel;

import org.jspecify.annotations.NullMarked;
