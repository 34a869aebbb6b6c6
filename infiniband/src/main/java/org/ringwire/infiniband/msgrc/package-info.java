/**
 * The engine {@code msgrc} (Ibdxnet paper, section IV): a reliable connection between two queue
 * pairs for each link, one shared receive queue, one thread that sends and one that receives.
 */
@NullMarked
package org.ringwire.infiniband.msgrc;

import org.jspecify.annotations.NullMarked;
