package org.ringwire.heap.image.container;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.heap.image.shape.Output;
import org.ringwire.heap.image.shape.Refusal;

/**
 * {@link EnumMap}: the class of the keys, then keys and values by turns. It gets what belongs to
 * the class of the keys when it is filled, since its values may refer to it before.
 */
final class EnumMapShape extends EntriesShape {
  private final long keyType = Raw.offsetOf(EnumMap.class, "keyType");
  private final long keys = Raw.offsetOf(EnumMap.class, "keyUniverse");
  private final long values = Raw.offsetOf(EnumMap.class, "vals");

  EnumMapShape(int tag) {
    super(EnumMap.class, tag);
  }

  @Override
  protected int count(Object container) {
    return 1 + Math.multiplyExact(2, ((EnumMap<?, ?>) container).size());
  }

  @Override
  protected int overhead() {
    return 1;
  }

  @Override
  protected long encodeReferences(Object container, int count, long a, Output out) {
    long at = out.reference(UNSAFE.getReference(container, keyType), a);
    return encodeEntries((EnumMap<?, ?>) container, count - 1, at, out);
  }

  @Override
  protected Object create(int count, int setting) {
    try {
      return UNSAFE.allocateInstance(EnumMap.class);
    } catch (InstantiationException e) {
      throw new IllegalStateException("no map can be made", e);
    }
  }

  /** Constants have their places by their order, which no method of theirs is asked for. */
  @Override
  protected boolean isKey(int index) {
    return false;
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"})
  protected void fill(Object container, @Nullable Object[] references) {
    Class<?> constants = references.length > 0 && references[0] instanceof Class<?> c ? c : null;
    if (constants == null || !constants.isEnum() || references.length % 2 == 0) {
      throw new DecodingException("not the content of a map: class=" + type().getName());
    }
    EnumMap<?, ?> model;
    try {
      model = new EnumMap(constants.asSubclass(Enum.class));
    } catch (LinkageError e) {
      throw Refusal.ofEnum(constants, e);
    }
    for (long field : new long[] {keyType, keys, values}) {
      UNSAFE.putReference(container, field, UNSAFE.getReference(model, field));
    }
    for (int i = 1; i < references.length; i += 2) {
      ((Map) container).put(references[i], references[i + 1]);
    }
  }
}
