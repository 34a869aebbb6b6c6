/** The service provider interface that a transport implements. */
@NullMarked
package org.ringwire.transport;

import org.jspecify.annotations.NullMarked;
