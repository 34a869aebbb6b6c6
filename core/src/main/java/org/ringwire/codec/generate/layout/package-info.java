/**
 * How the bytes of a type are laid out: here, at a peer, and what becomes of the one in the other.
 */
@NullMarked
package org.ringwire.codec.generate.layout;

import org.jspecify.annotations.NullMarked;
