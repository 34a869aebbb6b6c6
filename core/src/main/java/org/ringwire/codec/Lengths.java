package org.ringwire.codec;

import org.jspecify.annotations.Nullable;

/**
 * How many bytes {@link Writer} needs for a value whose width varies: what {@link Codec#length}
 * adds up. Values of fixed width take their {@code BYTES}. Stateless.
 */
public final class Lengths {
  private Lengths() {}

  /**
   * For {@link Writer#putCompactInt}.
   *
   * @param value any value
   * @return bytes, 1 to 5
   */
  public static int ofCompactInt(int value) {
    return ofCompactUnsignedInt((value << 1) ^ (value >> 31));
  }

  /**
   * For {@link Writer#putCompactUnsignedInt}.
   *
   * @param value any value, taken as unsigned
   * @return bytes, 1 to 5
   */
  public static int ofCompactUnsignedInt(int value) {
    return (38 - Integer.numberOfLeadingZeros(value | 1)) / 7;
  }

  /**
   * For {@link Writer#putCompactLong}.
   *
   * @param value any value
   * @return bytes, 1 to 10
   */
  public static int ofCompactLong(long value) {
    return ofCompactUnsignedLong((value << 1) ^ (value >> 63));
  }

  /**
   * For {@link Writer#putCompactUnsignedLong}.
   *
   * @param value any value, taken as unsigned
   * @return bytes, 1 to 10
   */
  public static int ofCompactUnsignedLong(long value) {
    return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
  }

  /**
   * For {@link Writer#putCount}.
   *
   * @param count 0 or more
   * @return bytes, 1 to 5
   */
  public static int ofCount(int count) {
    return ofCompactUnsignedInt(count);
  }

  /**
   * For {@link Writer#putString} and {@link Writer#putNullableString}: exact, and in one pass.
   *
   * @param text a string without unpaired surrogates, or null
   * @return bytes, 1 or more
   * @throws IllegalArgumentException if half of a surrogate pair is missing, or the string needs
   *     more than {@link Integer#MAX_VALUE} bytes
   */
  public static int ofString(@Nullable String text) {
    if (text == null) {
      return 1;
    }
    int length = Utf8.length(text);
    return ofCompactUnsignedInt(length + 1) + length;
  }

  /**
   * For {@link Writer#putByteArray}.
   *
   * @param count the length of the array, 0 or more
   * @return bytes, 1 or more
   * @throws ArithmeticException if that is more than {@link Integer#MAX_VALUE}
   */
  public static int ofByteArray(int count) {
    return Math.addExact(ofCompactUnsignedInt(count + 1), count);
  }
}
