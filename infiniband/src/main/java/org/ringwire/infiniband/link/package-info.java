/**
 * Links in the making, whatever carries their data: the exchange over TCP that sets them up, and
 * the register of a transport. {@code msgrc} and {@code msgud} are the engines.
 */
@NullMarked
package org.ringwire.infiniband.link;

import org.jspecify.annotations.NullMarked;
