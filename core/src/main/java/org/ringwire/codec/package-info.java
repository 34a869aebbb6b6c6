/** Turning objects into bytes and back: what a hand-written codec implements. */
@NullMarked
package org.ringwire.codec;

import org.jspecify.annotations.NullMarked;
