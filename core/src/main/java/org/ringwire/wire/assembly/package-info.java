/** Frames out of the bytes of a link, in whatever pieces they come. */
@NullMarked
package org.ringwire.wire.assembly;

import org.jspecify.annotations.NullMarked;
