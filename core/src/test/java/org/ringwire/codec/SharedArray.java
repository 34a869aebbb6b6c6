package org.ringwire.codec;

/**
 * A generic record for {@link SharedRecordTest}, public for classes of other loaders.
 *
 * @param items of any type
 * @param <T> the type
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SharedArray<T>(T[] items) {}
