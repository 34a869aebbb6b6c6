package org.ringwire.heap.image;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.Validated;

/**
 * Writes and reads the objects of exactly one class. Immutable and shared by all threads; the state
 * of a call is in the {@link Encoder} or {@link Decoder}.
 */
abstract class Shape {
  private static final AtomicInteger ORDINALS = new AtomicInteger();
  private static final byte[] NO_DESCRIPTION = {};

  final Class<?> type;

  /** Which place the shape has in the tables of encoders. */
  final int ordinal = ORDINALS.getAndIncrement();

  /** The tag of a class that every image knows, or 0 if images declare it. */
  final int tag;

  /** What images say of the class; see {@link Description}. */
  final byte[] description;

  /**
   * Whether objects have an identity that is kept, and so a number in images with back-references.
   */
  final boolean tracked;

  /** Whether objects refer to no others, so that they nest no deeper. */
  final boolean leaf;

  /** Whether objects want to be asked when the graph is complete. */
  final boolean validated;

  /** A class that every image knows. */
  Shape(Class<?> type, int tag, boolean tracked, boolean leaf) {
    this(type, tag, NO_DESCRIPTION, tracked, leaf);
  }

  /** A class that images declare. */
  Shape(Class<?> type, byte[] description, boolean tracked, boolean leaf) {
    this(type, 0, description, tracked, leaf);
  }

  Shape(Class<?> type, int tag, byte[] description, boolean tracked, boolean leaf) {
    this.type = type;
    this.tag = tag;
    this.description = description;
    this.tracked = tracked;
    this.leaf = leaf;
    this.validated = Validated.class.isAssignableFrom(type);
  }

  /**
   * Writes what follows the tag.
   *
   * @param o an object of exactly this class
   * @param a where to write; room has to be asked for
   * @return the address behind it
   */
  abstract long encode(Object o, long a, Encoder e);

  /**
   * Reads what follows the tag.
   *
   * @return an object of exactly this class, registered with the decoder if it is tracked
   */
  abstract @Nullable Object decode(Decoder d);

  /**
   * A number made of what the object holds, for the table of visited objects: it must not change
   * while the graph is encoded, and need not differ between objects.
   *
   * @return 0 if only the identity will do
   */
  int contentHash(Object o) {
    return 0;
  }

  /** Spreads 64 bits over 32; never 0. */
  static int mix(long bits) {
    long product = bits * 0x9E3779B97F4A7C15L;
    int hash = (int) (product >>> 29);
    return hash == 0 ? 1 : hash;
  }
}
