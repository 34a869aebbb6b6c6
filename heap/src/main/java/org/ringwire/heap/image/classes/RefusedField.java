package org.ringwire.heap.image.classes;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ringwire.EncodingException;

/**
 * Looks for the field through which a graph leads to an object that cannot be sent. Encoders do not
 * know where they are, which would cost all graphs something; so a graph that was refused is gone
 * through once more, objects near its root first. For one call on one thread.
 */
public final class RefusedField {
  /** More objects are not looked at: who sends may be in a hurry though it fails. */
  private static final int MOST_OBJECTS = 10_000;

  private final String reason;
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final ArrayDeque<Place> places = new ArrayDeque<>();
  private @Nullable String found;

  /** An object, and the last field on the way to it. */
  private record Place(Object object, String field) {}

  private RefusedField(String reason) {
    this.reason = reason;
  }

  /**
   * Adds the field to the reason why a graph cannot be sent.
   *
   * @return the same exception if there is no field, or none is found
   */
  public static EncodingException named(EncodingException failure, @Nullable Object graph) {
    RefusedField search = new RefusedField(String.valueOf(failure.getMessage()));
    try {
      search.add(graph, "");
      while (search.found == null && !search.places.isEmpty()) {
        search.lookInto(search.places.removeFirst());
      }
    } catch (RuntimeException | LinkageError e) { // of a graph that others change, for example
      return failure;
    }
    String field = search.found;
    return field == null || field.isEmpty()
        ? failure
        : new EncodingException(search.reason + "; field=" + field, failure);
  }

  private void add(@Nullable Object object, String field) {
    if (object == null || found != null || seen.size() >= MOST_OBJECTS || !seen.add(object)) {
      return;
    }
    try {
      if (!Shapes.of(object.getClass()).isLeaf()) {
        places.addLast(new Place(object, field));
      }
    } catch (EncodingException e) {
      if (reason.equals(e.getMessage())) {
        found = field;
      }
    }
  }

  private void lookInto(Place place) {
    Object object = place.object;
    if (object instanceof Object[] array) {
      for (Object element : array) {
        add(element, place.field);
      }
    } else if (!PlatformClasses.contains(object.getClass())) {
      lookIntoFields(object);
    } else if (object instanceof Collection<?> elements) {
      for (Object element : elements) {
        add(element, place.field);
      }
    } else if (object instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        add(entry.getKey(), place.field);
        add(entry.getValue(), place.field);
      }
    }
  }

  private void lookIntoFields(Object object) {
    for (Class<?> c = object.getClass(); c != null; c = c.getSuperclass()) {
      if (PlatformClasses.contains(c)) {
        return; // its fields are no application's
      }
      for (Field field : c.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
          Object value = UNSAFE.getReference(object, UNSAFE.objectFieldOffset(field));
          add(value, c.getName() + "." + field.getName());
        }
      }
    }
  }
}
