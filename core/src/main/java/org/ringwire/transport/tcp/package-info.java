/** The TCP transport, on Java NIO. */
@NullMarked
package org.ringwire.transport.tcp;

import org.jspecify.annotations.NullMarked;
