package org.ringwire.codec.generate.layout;

import java.lang.classfile.TypeKind;
import org.jspecify.annotations.Nullable;

/** The primitive types that messages may contain. */
public enum Primitive {
  BOOLEAN(boolean.class, Boolean.class, 1),
  BYTE(byte.class, Byte.class, Byte.BYTES),
  SHORT(short.class, Short.class, Short.BYTES),
  CHAR(char.class, Character.class, Character.BYTES),
  INT(int.class, Integer.class, Integer.BYTES),
  LONG(long.class, Long.class, Long.BYTES),
  FLOAT(float.class, Float.class, Float.BYTES),
  DOUBLE(double.class, Double.class, Double.BYTES);

  private final Class<?> type;
  private final Class<?> boxedType;
  private final int width;

  Primitive(Class<?> type, Class<?> boxedType, int width) {
    this.type = type;
    this.boxedType = boxedType;
    this.width = width;
  }

  public Class<?> type() {
    return type;
  }

  public Class<?> boxedType() {
    return boxedType;
  }

  public int width() {
    return width;
  }

  public TypeKind kind() {
    return TypeKind.from(type);
  }

  /** The word in names of methods: {@code Int} of {@code putInt}. */
  public String word() {
    return Character.toUpperCase(type.getName().charAt(0)) + type.getName().substring(1);
  }

  /**
   * Whether every value of another type, which is not this one, is a value of this one: as Java
   * widens, but never with a loss of precision.
   */
  boolean holdsAll(Primitive other) {
    return switch (this) {
      case BOOLEAN, BYTE, CHAR -> false;
      case SHORT -> other == BYTE;
      case INT -> other == BYTE || other == SHORT || other == CHAR;
      case LONG -> other == INT || INT.holdsAll(other);
      case FLOAT -> other == BYTE || other == SHORT || other == CHAR;
      case DOUBLE -> other == FLOAT || other == INT || INT.holdsAll(other);
    };
  }

  /** The primitive that a class is, or boxes; null for any other. */
  static @Nullable Primitive of(Class<?> type) {
    for (Primitive primitive : values()) {
      if (primitive.type == type || primitive.boxedType == type) {
        return primitive;
      }
    }
    return null;
  }
}
