package org.ringwire.codec.runtime;

import org.jspecify.annotations.Nullable;
import org.ringwire.codec.Lengths;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;

/**
 * Arrays of primitives: the count plus one (0 for null), then the values as one block. Public for
 * generated classes alone. Stateless.
 */
public final class PrimitiveArrays {
  private PrimitiveArrays() {}

  private static long length(int count, int width) {
    return Lengths.ofCompactUnsignedInt(count + 1) + (long) count * width;
  }

  /** Reads a count that the message can hold; -1 is null. */
  private static int count(Reader reader, int width) {
    return Sequences.getCount(reader, width, 0);
  }

  /** The exact number of bytes. */
  public static long length(boolean @Nullable [] array) {
    return array == null ? 1 : length(array.length, 1);
  }

  /** Writes an array or null. */
  public static void putBooleans(Writer writer, boolean @Nullable [] array) {
    if (array == null) {
      writer.putByte((byte) 0);
    } else {
      Sequences.putCount(writer, array.length);
      writer.putBooleans(array, 0, array.length);
    }
  }

  /** Reads an array or null. */
  public static boolean @Nullable [] getBooleans(Reader reader) {
    int count = count(reader, 1);
    if (count < 0) {
      return null;
    }
    boolean[] array = new boolean[count];
    reader.getBooleans(array, 0, count);
    return array;
  }

  /** The exact number of bytes. */
  public static long length(byte @Nullable [] array) {
    return array == null ? 1 : length(array.length, Byte.BYTES);
  }

  /** Writes an array or null. */
  public static void putBytes(Writer writer, byte @Nullable [] array) {
    if (array == null) {
      writer.putByte((byte) 0);
    } else {
      Sequences.putCount(writer, array.length);
      writer.putBytes(array, 0, array.length);
    }
  }

  /** Reads an array or null. */
  public static byte @Nullable [] getBytes(Reader reader) {
    int count = count(reader, Byte.BYTES);
    if (count < 0) {
      return null;
    }
    byte[] array = new byte[count];
    reader.getBytes(array, 0, count);
    return array;
  }

  /** The exact number of bytes. */
  public static long length(short @Nullable [] array) {
    return array == null ? 1 : length(array.length, Short.BYTES);
  }

  /** Writes an array or null. */
  public static void putShorts(Writer writer, short @Nullable [] array) {
    if (array == null) {
      writer.putByte((byte) 0);
    } else {
      Sequences.putCount(writer, array.length);
      writer.putShorts(array, 0, array.length);
    }
  }

  /** Reads an array or null. */
  public static short @Nullable [] getShorts(Reader reader) {
    int count = count(reader, Short.BYTES);
    if (count < 0) {
      return null;
    }
    short[] array = new short[count];
    reader.getShorts(array, 0, count);
    return array;
  }

  /** The exact number of bytes. */
  public static long length(char @Nullable [] array) {
    return array == null ? 1 : length(array.length, Character.BYTES);
  }

  /** Writes an array or null. */
  public static void putChars(Writer writer, char @Nullable [] array) {
    if (array == null) {
      writer.putByte((byte) 0);
    } else {
      Sequences.putCount(writer, array.length);
      writer.putChars(array, 0, array.length);
    }
  }

  /** Reads an array or null. */
  public static char @Nullable [] getChars(Reader reader) {
    int count = count(reader, Character.BYTES);
    if (count < 0) {
      return null;
    }
    char[] array = new char[count];
    reader.getChars(array, 0, count);
    return array;
  }

  /** The exact number of bytes. */
  public static long length(int @Nullable [] array) {
    return array == null ? 1 : length(array.length, Integer.BYTES);
  }

  /** Writes an array or null. */
  public static void putInts(Writer writer, int @Nullable [] array) {
    if (array == null) {
      writer.putByte((byte) 0);
    } else {
      Sequences.putCount(writer, array.length);
      writer.putInts(array, 0, array.length);
    }
  }

  /** Reads an array or null. */
  public static int @Nullable [] getInts(Reader reader) {
    int count = count(reader, Integer.BYTES);
    if (count < 0) {
      return null;
    }
    int[] array = new int[count];
    reader.getInts(array, 0, count);
    return array;
  }

  /** The exact number of bytes. */
  public static long length(long @Nullable [] array) {
    return array == null ? 1 : length(array.length, Long.BYTES);
  }

  /** Writes an array or null. */
  public static void putLongs(Writer writer, long @Nullable [] array) {
    if (array == null) {
      writer.putByte((byte) 0);
    } else {
      Sequences.putCount(writer, array.length);
      writer.putLongs(array, 0, array.length);
    }
  }

  /** Reads an array or null. */
  public static long @Nullable [] getLongs(Reader reader) {
    int count = count(reader, Long.BYTES);
    if (count < 0) {
      return null;
    }
    long[] array = new long[count];
    reader.getLongs(array, 0, count);
    return array;
  }

  /** The exact number of bytes. */
  public static long length(float @Nullable [] array) {
    return array == null ? 1 : length(array.length, Float.BYTES);
  }

  /** Writes an array or null. */
  public static void putFloats(Writer writer, float @Nullable [] array) {
    if (array == null) {
      writer.putByte((byte) 0);
    } else {
      Sequences.putCount(writer, array.length);
      writer.putFloats(array, 0, array.length);
    }
  }

  /** Reads an array or null. */
  public static float @Nullable [] getFloats(Reader reader) {
    int count = count(reader, Float.BYTES);
    if (count < 0) {
      return null;
    }
    float[] array = new float[count];
    reader.getFloats(array, 0, count);
    return array;
  }

  /** The exact number of bytes. */
  public static long length(double @Nullable [] array) {
    return array == null ? 1 : length(array.length, Double.BYTES);
  }

  /** Writes an array or null. */
  public static void putDoubles(Writer writer, double @Nullable [] array) {
    if (array == null) {
      writer.putByte((byte) 0);
    } else {
      Sequences.putCount(writer, array.length);
      writer.putDoubles(array, 0, array.length);
    }
  }

  /** Reads an array or null. */
  public static double @Nullable [] getDoubles(Reader reader) {
    int count = count(reader, Double.BYTES);
    if (count < 0) {
      return null;
    }
    double[] array = new double[count];
    reader.getDoubles(array, 0, count);
    return array;
  }
}
