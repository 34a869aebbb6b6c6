package org.ringwire.heap.image.container;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.heap.image.shape.Shape;

/** What {@link Collections#newSetFromMap} makes: the map whose keys it has. */
final class SetFromMapShape extends ViewShape {
  private final long keys = Raw.offsetOf(type(), "s");

  private SetFromMapShape(Class<?> type, int tag) {
    super(type, tag, Map.class, Raw.offsetOf(type, "m"));
  }

  static Shape of(int tag) {
    return new SetFromMapShape(
        Collections.newSetFromMap(new HashMap<Object, Boolean>()).getClass(), tag);
  }

  /** A method of the map is asked for its view of the keys, so all of the map has to be there. */
  @Override
  protected boolean isKey(int index) {
    return true;
  }

  @Override
  protected boolean isInOrder(Object container, @Nullable Object[] references) {
    return true; // the map is put in order by itself
  }

  @Override
  protected void clear(Object container) {
    // the map is cleared by itself
  }

  /** Its own view of the keys is made by the map, which need not be filled for that. */
  @Override
  protected void fill(Object container, @Nullable Object[] references) {
    super.fill(container, references);
    Map<?, ?> map = (Map<?, ?>) Objects.requireNonNull(references[0]); // it is there by now
    UNSAFE.putReference(container, keys, map.keySet());
  }
}
