/** The way in over a link: types, windows, lanes and the threads and objects of handlers. */
@NullMarked
package org.ringwire.engine.inbound;

import org.jspecify.annotations.NullMarked;
