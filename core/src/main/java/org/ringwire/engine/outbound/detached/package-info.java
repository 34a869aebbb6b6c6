/** What goes out beside the ring: control frames, and long ones, which the receiver grants. */
@NullMarked
package org.ringwire.engine.outbound.detached;

import org.jspecify.annotations.NullMarked;
