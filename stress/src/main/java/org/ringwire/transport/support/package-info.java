/** Stress tests of what transports share. */
@NullMarked
package org.ringwire.transport.support;

import org.jspecify.annotations.NullMarked;
