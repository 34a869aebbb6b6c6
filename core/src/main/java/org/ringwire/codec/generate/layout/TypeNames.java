package org.ringwire.codec.generate.layout;

import java.nio.charset.StandardCharsets;
import org.ringwire.codec.Message;

/** What types are called on the wire. */
public final class TypeNames {
  /** As long as an announcement can carry, in bytes of UTF-8. */
  public static final int MAX_LENGTH = 1024;

  private TypeNames() {}

  /**
   * Whether a character has no place in a name, as it would part or hide lines wherever the name is
   * shown.
   */
  public static boolean isForeign(int c) {
    return Character.isWhitespace(c) || Character.isISOControl(c);
  }

  /**
   * The name of a type on the wire: given by {@link Message#name}, or that of the class.
   *
   * @throws IllegalArgumentException if it is too long, has white space or control characters, or
   *     stands for another type in schemas, as the names of arrays and primitives do
   */
  public static String nameOf(Class<?> type) {
    requireOwnName(type);
    Message message = type.getAnnotation(Message.class);
    String name = message == null || message.name().isEmpty() ? type.getName() : message.name();
    int length = name.getBytes(StandardCharsets.UTF_8).length;
    if (length == 0 || length > MAX_LENGTH || name.chars().anyMatch(TypeNames::isForeign)) {
      throw new IllegalArgumentException(
          "message name must have 1 to "
              + MAX_LENGTH
              + " bytes in UTF-8 and no white space or control characters: name="
              + name
              + " type="
              + type.getName());
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      throw new IllegalArgumentException(
          "message name must have no unpaired surrogates: type=" + type.getName());
    }
    if (SchemaLayouts.isReserved(name) || name.chars().anyMatch(c -> "<>,[]".indexOf(c) >= 0)) {
      throw new IllegalArgumentException(
          "message name has a meaning in schemas: name=" + name + " type=" + type.getName());
    }
    return name;
  }

  /**
   * What has no name of its own is part of messages, and none by itself.
   *
   * @throws IllegalArgumentException if it is an array or a primitive
   */
  static void requireOwnName(Class<?> type) {
    if (type.isArray() || type.isPrimitive()) {
      throw new IllegalArgumentException(
          "arrays and primitives are no messages: make it a component of a record: type="
              + type.getTypeName());
    }
  }
}
