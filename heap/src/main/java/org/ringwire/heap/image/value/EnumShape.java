package org.ringwire.heap.image.value;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringwire.EncodingException;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.shape.Description;
import org.ringwire.heap.image.shape.Input;
import org.ringwire.heap.image.shape.Output;
import org.ringwire.heap.image.shape.Refusal;
import org.ringwire.heap.image.shape.Shape;

/**
 * Constants of an enum, by name: the number of bytes in 4 bytes, then UTF-8. They are looked at
 * when the first one is sent or received, since that initialises the enum: it may be no more than
 * the type of a field of what a receiver accepts.
 */
public final class EnumShape extends Shape {
  private static final String EARLY = "the enum is being initialised: class=";

  private @Nullable Constants constants; // by any thread; all find the same

  /** What there is; safe to be seen by a race. */
  private static final class Constants {
    private final byte[][] names;
    private final Map<String, Object> byName;

    Constants(Object[] all) {
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
    Constants there;
    try {
      there = constants();
    } catch (LinkageError e) {
      throw Refusal.ofEnum(type(), e);
    }
    if (there == null) {
      throw new DecodingException(EARLY + type().getName());
    }
    return there;
  }

  /** Null as long as the initialiser of the enum runs, on this thread, and so has not made them. */
  private @Nullable Constants constants() {
    Constants made = constants;
    if (made == null) {
      Object[] all = type().getEnumConstants();
      made = all == null ? null : new Constants(all);
      constants = made;
    }
    return made;
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // of this JVM
  public long encode(Object o, long a, Output out) {
    Constants there = constants();
    if (there == null) {
      throw new EncodingException(EARLY + type().getName());
    }
    return out.bytes(there.names[((Enum<?>) o).ordinal()], a);
  }

  @Override
  public Object decode(Input in) {
    String name = new String(in.bytes(), StandardCharsets.UTF_8);
    Object constant = received().byName.get(name);
    if (constant == null) {
      throw new DecodingException(
          "no such constant of an enum here: class="
              + type().getName()
              + " constant="
              + Refusal.shortened(name));
    }
    return constant;
  }
}
