package org.ringwire.heap.image.shape;

import org.jspecify.annotations.Nullable;

/**
 * A field that holds a reference.
 *
 * @param owner the class that declares the field
 * @param name its name
 * @param offset in the object
 * @param declared its type
 * @param expected the shape of exactly that type, where there can be one and it is no cycle
 */
public record Slot(
    Class<?> owner, String name, long offset, Class<?> declared, @Nullable Shape expected) {}
