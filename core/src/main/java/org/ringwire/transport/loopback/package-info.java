/** The transport between nodes of one JVM. */
@NullMarked
package org.ringwire.transport.loopback;

import org.jspecify.annotations.NullMarked;
