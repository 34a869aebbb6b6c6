/** What stands on the wire: frames and the handshake. */
@NullMarked
package org.ringwire.wire;

import org.jspecify.annotations.NullMarked;
