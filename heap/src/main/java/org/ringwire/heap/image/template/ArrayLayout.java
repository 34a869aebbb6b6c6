package org.ringwire.heap.image.template;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.shape.Shape;

/** What a template needs to know of a class of arrays. */
final class ArrayLayout {
  final Class<?> type;
  final Class<?> component;

  /** The tag, or 0 if images declare the class. */
  final int tag;

  final long base;
  final int scale;

  /** The shape of exactly the component type, where there can be one. */
  final @Nullable Shape expected;

  /** Where the template leaves the shape that it made of this layout. */
  @Nullable Shape shape;

  ArrayLayout(Class<?> type, int tag, @Nullable Shape expected) {
    this.type = type;
    this.component = type.getComponentType();
    this.tag = tag;
    this.base = UNSAFE.arrayBaseOffset(type);
    this.scale = UNSAFE.arrayIndexScale(type);
    this.expected = expected;
  }
}
