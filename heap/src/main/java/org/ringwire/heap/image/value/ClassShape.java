package org.ringwire.heap.image.value;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.shape.Description;
import org.ringwire.heap.image.shape.Input;
import org.ringwire.heap.image.shape.Output;
import org.ringwire.heap.image.shape.Refusal;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.heap.image.shape.Tags;

/** Classes as objects, by name: the number of bytes in 4 bytes, then UTF-8. */
public final class ClassShape extends Shape {

  /** That of all classes. */
  public ClassShape() {
    super(Class.class, Tags.CLASS, false, true);
  }

  @Override
  public long encode(Object o, long a, Output out) {
    Class<?> value = (Class<?>) o;
    String objection = objection(value);
    if (objection != null) {
      throw Refusal.ofClass(value, objection);
    }
    return out.bytes(value.getName().getBytes(StandardCharsets.UTF_8), a);
  }

  /** Why no receiver would find a class by its name, or find another one; null if they do. */
  private @Nullable String objection(Class<?> value) {
    Class<?> element = value;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    if (element.isHidden()) {
      return "a hidden class has no name that the receiver could know";
    }
    if (Proxy.isProxyClass(element)) { // there another one may have its name
      return "a dynamic proxy has no name that the receiver could know";
    }
    return Description.objection(value, description());
  }

  @Override
  public Object decode(Input in) {
    return in.named(new String(in.bytes(), StandardCharsets.UTF_8));
  }
}
