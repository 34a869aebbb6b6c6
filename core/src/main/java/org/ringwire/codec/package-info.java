/**
 * Turning objects into bytes and back: what records may say about themselves ({@link
 * org.ringwire.codec.Message}, {@link org.ringwire.codec.Compact}, {@link
 * org.ringwire.codec.Default}), what a hand-written codec implements ({@link
 * org.ringwire.codec.Codec}), and where it is registered ({@link
 * org.ringwire.codec.MessageCatalog}).
 */
@NullMarked
package org.ringwire.codec;

import org.jspecify.annotations.NullMarked;
