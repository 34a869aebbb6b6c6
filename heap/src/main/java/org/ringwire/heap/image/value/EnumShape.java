package org.ringwire.heap.image.value;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.shape.Description;
import org.ringwire.heap.image.shape.Input;
import org.ringwire.heap.image.shape.Output;
import org.ringwire.heap.image.shape.Shape;

/**
 * Constants of an enum, by name: the number of bytes in 4 bytes, then UTF-8. They are looked at
 * when the first one is sent or received, since that initialises the enum: it may be no more than
 * the type of a field of what a receiver accepts.
 */
public final class EnumShape extends Shape {
  private static final Object[] NOTHING = {};

  private @Nullable Constants constants; // by any thread; all find the same

  /** What there is; safe to be seen by a race. */
  private static final class Constants {
    private final byte[][] names;
    private final Map<String, Object> byName;

    Constants(Class<?> type) {
      Object[] all = Objects.requireNonNullElse(type.getEnumConstants(), NOTHING);
      this.names = new byte[all.length][];
      this.byName = HashMap.newHashMap(all.length);
      for (int i = 0; i < all.length; i++) {
        String name = ((Enum<?>) all[i]).name();
        names[i] = name.getBytes(StandardCharsets.UTF_8);
        byName.put(name, all[i]);
      }
    }
  }

  /** That of one enum, which it does not initialise. */
  public EnumShape(Class<?> type) {
    super(type, Description.of(type, Description.ENUM), false, true);
  }

  private Constants received() {
    try {
      return constants();
    } catch (LinkageError e) {
      throw new DecodingException("an enum cannot be initialised: class=" + type().getName(), e);
    }
  }

  private Constants constants() {
    Constants made = constants;
    if (made == null) {
      made = new Constants(type());
      constants = made;
    }
    return made;
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // of this JVM
  public long encode(Object o, long a, Output out) {
    return out.bytes(constants().names[((Enum<?>) o).ordinal()], a);
  }

  @Override
  public Object decode(Input in) {
    String name = new String(in.bytes(), StandardCharsets.UTF_8);
    Object constant = received().byName.get(name);
    if (constant == null) {
      throw new DecodingException(
          "no such constant of an enum here: class=" + type().getName() + " constant=" + name);
    }
    return constant;
  }
}
