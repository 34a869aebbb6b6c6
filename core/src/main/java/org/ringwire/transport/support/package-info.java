/** What several transports have in common. */
@NullMarked
package org.ringwire.transport.support;

import org.jspecify.annotations.NullMarked;
