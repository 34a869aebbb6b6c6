package org.ringwire.infiniband;

import java.lang.reflect.Field;

/** Begins with the numbers that something comes to when it has gone on for hours. */
public final class LateStart {

  private LateStart() {}

  /** Sets counters of an object, by their names. */
  public static void set(Object object, long number, String... counters)
      throws ReflectiveOperationException {
    for (String counter : counters) {
      field(object, counter).setLong(object, number);
    }
  }

  /** A part of an object, by its name. */
  public static Object part(Object object, String name) throws ReflectiveOperationException {
    return field(object, name).get(object);
  }

  private static Field field(Object object, String name) throws ReflectiveOperationException {
    Field field = object.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
