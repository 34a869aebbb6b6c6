package org.ringwire.codec;

/**
 * A generic record for {@link SharedRecordTest}, public for classes of other loaders.
 *
 * @param item of any type
 * @param <T> the type
 */
public record SharedPage<T>(T item) {}
