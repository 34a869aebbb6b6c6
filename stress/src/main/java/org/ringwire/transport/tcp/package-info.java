/** Stress tests of the TCP transport. */
@NullMarked
package org.ringwire.transport.tcp;

import org.jspecify.annotations.NullMarked;
