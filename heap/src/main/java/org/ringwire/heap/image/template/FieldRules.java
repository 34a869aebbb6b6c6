package org.ringwire.heap.image.template;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.shape.Shape;

/** What the layout of a class depends on that is not in the class itself. Any thread. */
public interface FieldRules {

  /** Whether images have nothing for a field. */
  boolean isLeftOut(Field field);

  /**
   * What a reference of this declared type most probably leads to, or null if that is open. What
   * this shape reads is stored without a look at its class.
   */
  @Nullable Shape expected(Class<?> declared);
}
