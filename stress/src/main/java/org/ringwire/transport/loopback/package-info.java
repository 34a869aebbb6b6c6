/** Stress tests of what transports share. */
@NullMarked
package org.ringwire.transport.loopback;

import org.jspecify.annotations.NullMarked;
