/** What heap channels say to each other; the two ends of a channel are below. Not exported. */
@NullMarked
package org.ringwire.heap.channel;

import org.jspecify.annotations.NullMarked;
