/**
 * Links, whatever carries their data: the exchange over TCP that sets them up, what they are from
 * the attempt until the end, the thread that drives ends, and the register of a transport. {@code
 * msgrc} and {@code msgud} are the engines.
 */
@NullMarked
package org.ringwire.infiniband.link;

import org.jspecify.annotations.NullMarked;
