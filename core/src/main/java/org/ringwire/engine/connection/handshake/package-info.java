/** What the two ends of a link say of themselves when it begins, and how they prove it. */
@NullMarked
package org.ringwire.engine.connection.handshake;

import org.jspecify.annotations.NullMarked;
