package org.ringwire.heap.image.value;

import java.nio.charset.StandardCharsets;
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
    if (value.isHidden()) {
      throw Refusal.ofClass(value, "a hidden class has no name that the receiver could know");
    }
    if (value.getName().length() > Description.LONGEST_NAME) {
      throw Refusal.ofClass(value, "its name is too long: limit=" + Description.LONGEST_NAME);
    }
    return out.bytes(value.getName().getBytes(StandardCharsets.UTF_8), a);
  }

  @Override
  public Object decode(Input in) {
    return in.named(new String(in.bytes(), StandardCharsets.UTF_8));
  }
}
