package org.ringwire.heap.image;

import static org.ringwire.heap.image.Raw.UNSAFE;

import java.util.ConcurrentModificationException;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.ringwire.EncodingException;

/**
 * Collections and maps of the platform, by what they hold and not by how: where their elements lie
 * depends on hash codes, which for many objects differ in every JVM. On the wire: the number of
 * references that follow (4 bytes), a setting of the container (4 bytes), the references. Received
 * containers are filled by their own methods once everything that the references lead to is
 * complete, inner ones first.
 */
abstract class ContainerShape extends Shape {
  private static final int FRONT_BYTES = 2 * Integer.BYTES;

  ContainerShape(Class<?> type, int tag) {
    super(type, tag, true, false);
  }

  /** How many references there are to write. */
  abstract int count(Object container);

  /** A setting that is needed to create the container, or 0. */
  int setting(Object container) {
    return 0;
  }

  /**
   * Writes exactly so many references.
   *
   * @throws ConcurrentModificationException if there are fewer or more by now
   */
  abstract long encodeReferences(Object container, int count, long a, Encoder e);

  /** A new, empty one. */
  abstract Object create(int count, int setting);

  /** Puts in what was read; runs methods of the elements. */
  abstract void fill(Object container, @Nullable Object[] references);

  @Override
  final long encode(Object o, long a, Encoder e) {
    int count = count(o);
    long at = e.require(a, FRONT_BYTES);
    UNSAFE.putInt(at, count);
    UNSAFE.putInt(at + Integer.BYTES, setting(o));
    at += FRONT_BYTES;
    e.enter();
    try {
      at = encodeReferences(o, count, at, e);
    } catch (ConcurrentModificationException
        | IndexOutOfBoundsException
        | NoSuchElementException
        | NullPointerException x) {
      throw changed(x); // iterators throw any of these in a race
    }
    e.leave();
    return at;
  }

  /** What to throw when the container is not as long as it was. */
  final EncodingException changed(@Nullable Exception cause) {
    return new EncodingException(
        "a collection was changed while it was encoded: class=" + type.getName(), cause);
  }

  @Override
  final Object decode(Decoder d) {
    int count = d.arrayLength(1, type);
    int setting = UNSAFE.getInt(d.take(Integer.BYTES));
    d.requireAtLeast(count);
    d.open(count);
    Object container = create(count, setting);
    d.register(container);
    @Nullable Object[] references = new @Nullable Object[count];
    int mark = d.mark();
    for (int i = 0; i < count; i++) {
      Object reference = d.shape().decode(d);
      if (reference != null && Decoder.isLater(reference)) {
        d.cannotStoreNow(references, i, reference);
      } else {
        references[i] = reference;
      }
    }
    d.close(count);
    d.fill(this, container, references, mark);
    return container;
  }
}
