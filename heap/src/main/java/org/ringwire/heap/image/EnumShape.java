package org.ringwire.heap.image;

import static org.ringwire.heap.image.Raw.UNSAFE;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.ringwire.codec.DecodingException;

/** Constants of an enum, by name: the number of bytes in 4 bytes, then UTF-8. */
final class EnumShape extends Shape {
  private final byte[][] names;
  private final Map<String, Object> constants = HashMap.newHashMap(16);

  EnumShape(Class<?> type) {
    super(type, Description.of(type, Description.ENUM), false, true);
    Object[] all = type.getEnumConstants();
    if (all == null) {
      throw new IllegalArgumentException("not an enum: class=" + type.getName());
    }
    this.names = new byte[all.length][];
    for (int i = 0; i < all.length; i++) {
      String name = ((Enum<?>) all[i]).name();
      names[i] = name.getBytes(StandardCharsets.UTF_8);
      constants.put(name, all[i]);
    }
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // of this JVM
  long encode(Object o, long a, Encoder e) {
    byte[] name = names[((Enum<?>) o).ordinal()];
    long at = e.require(a, Integer.BYTES + (long) name.length);
    UNSAFE.putInt(at, name.length);
    Raw.copyOut(name, at + Integer.BYTES);
    return at + Integer.BYTES + name.length;
  }

  @Override
  Object decode(Decoder d) {
    String name = new String(d.bytes(), StandardCharsets.UTF_8);
    Object constant = constants.get(name);
    if (constant == null) {
      throw new DecodingException(
          "no such constant of an enum here: class=" + type.getName() + " constant=" + name);
    }
    return constant;
  }
}
