package org.ringwire.heap.image.container;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.heap.image.shape.ContainerShape;
import org.ringwire.heap.image.shape.Output;

/**
 * A view of a collection or map, sent with what is behind it. Some views have a field for that in
 * each of two classes; sent as objects they would carry their content twice where cycles are not
 * looked for, and one within the other twice as often.
 */
abstract class ViewShape extends ContainerShape {
  private final Class<?> behind;
  private final long[] fields;

  /**
   * Of a class of views.
   *
   * @param behind what is behind one is an instance of
   * @param fields where it is, as offsets; all have the same
   */
  ViewShape(Class<?> type, int tag, Class<?> behind, long... fields) {
    super(type, tag);
    this.behind = behind;
    this.fields = fields;
  }

  final @Nullable Object behind(Object view) {
    return UNSAFE.getReference(view, fields[0]);
  }

  /** How many references it is sent as; the first is what is behind it. */
  int references() {
    return 1;
  }

  @Override
  protected long encodeReferences(Object container, int count, long a, Output out) {
    return out.reference(behind(container), a);
  }

  @Override
  protected final int count(Object container) {
    return references();
  }

  @Override
  protected final int overhead() {
    return references();
  }

  @Override
  protected final Object create(int count, int setting) {
    return Raw.allocate(type());
  }

  @Override
  protected boolean isKey(int index) {
    return false;
  }

  @Override
  protected void fill(Object container, @Nullable Object[] references) {
    if (references.length != references() || !behind.isInstance(references[0])) {
      throw new DecodingException("not the content of a view: class=" + type().getName());
    }
    for (long field : fields) {
      UNSAFE.putReference(container, field, references[0]);
    }
  }
}
