/** Finds transports by name. */
@NullMarked
package org.ringwire.transport.providers;

import org.jspecify.annotations.NullMarked;
