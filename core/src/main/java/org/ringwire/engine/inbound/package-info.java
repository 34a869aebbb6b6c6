/** The way in over a link: types, windows and the objects of handlers. */
@NullMarked
package org.ringwire.engine.inbound;

import org.jspecify.annotations.NullMarked;
