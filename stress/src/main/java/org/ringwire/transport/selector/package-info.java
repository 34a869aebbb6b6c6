/** Stress tests of what transports with channels share. */
@NullMarked
package org.ringwire.transport.selector;

import org.jspecify.annotations.NullMarked;
