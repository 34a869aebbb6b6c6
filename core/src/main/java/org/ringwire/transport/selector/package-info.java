/** The I/O threads of transports whose channels a selector watches. */
@NullMarked
package org.ringwire.transport.selector;

import org.jspecify.annotations.NullMarked;
