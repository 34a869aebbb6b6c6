package org.ringwire.heap.image.shape;

import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;

/**
 * What an image says of a class: lines of text, the first its name as {@link Class#getName} has it,
 * then its kind, then for an object each field in the order in which the image has their values.
 * Two JVMs understand each other's objects of a class if their descriptions are equal.
 */
public final class Description {
  private static final String OBJECT = "object";

  /** Of arrays of references. */
  public static final String ARRAY = "array";

  /** Of enums. */
  public static final String ENUM = "enum";

  /** What a receiver reads at most; a sender refuses to send more. */
  public static final int MOST_BYTES = 1 << 16;

  /** The same of the name of a class, in characters. */
  public static final int LONGEST_NAME = 1024;

  /** The same of the dimensions of arrays: each costs some 26 KB of metaspace for good. */
  public static final int MOST_DIMENSIONS = 8;

  private Description() {}

  /** Why no receiver would read what an image says of a class, or null if they do. */
  public static @Nullable String objection(Class<?> type, byte[] description) {
    if (type.getName().length() > LONGEST_NAME) {
      return "its name is too long: limit of characters=" + LONGEST_NAME;
    }
    if (type.getName().lastIndexOf('[') >= MOST_DIMENSIONS) {
      return "it has more dimensions than a receiver reads: limit of dimensions=" + MOST_DIMENSIONS;
    }
    return description.length > MOST_BYTES
        ? "the names and types of its fields are too long: bytes="
            + description.length
            + " limit of bytes="
            + MOST_BYTES
        : null;
  }

  /** The description of a class that has no more than a kind. */
  public static byte[] of(Class<?> type, String kind) {
    return (type.getName() + "\n" + kind).getBytes(StandardCharsets.UTF_8);
  }

  /** The description of a class whose objects have these fields, in this order. */
  public static byte[] ofObject(Class<?> type, List<Field> fields) {
    StringBuilder text = new StringBuilder(type.getName()).append('\n').append(OBJECT);
    for (Field field : fields) {
      text.append('\n');
      if (field.getDeclaringClass() != type) {
        text.append(field.getDeclaringClass().getName()).append('.');
      }
      text.append(field.getName()).append(' ').append(field.getType().getName());
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The class that is described. */
  public static String nameIn(byte[] description) {
    int end = 0;
    while (end < description.length && description[end] != '\n') {
      end++;
    }
    return new String(description, 0, end, StandardCharsets.UTF_8);
  }

  /** What to throw when the sender's class differs from this side's; names class and field. */
  public static DecodingException mismatch(Class<?> type, byte[] here, byte[] sent) {
    List<String> own = lines(here);
    List<String> theirs = lines(sent);
    for (String line : theirs) {
      if (!own.contains(line)) {
        return new DecodingException(difference(type, line, "only the sender has it like this"));
      }
    }
    for (String line : own) {
      if (!theirs.contains(line)) {
        return new DecodingException(difference(type, line, "the sender does not have it so"));
      }
    }
    return new DecodingException(
        "class differs from the sender's: class="
            + type.getName()
            + ": the same fields in another order: both sides need the same class file");
  }

  /** A line has a field, or which kind of class it is. */
  private static String difference(Class<?> type, String line, String what) {
    int space = line.indexOf(' ');
    String found =
        space < 0
            ? " kind=" + Refusal.shortened(line)
            : " field="
                + Refusal.shortened(line.substring(0, space))
                + " type="
                + Refusal.shortened(line.substring(space + 1));
    return "class differs from the sender's: class=" + type.getName() + found + ": " + what;
  }

  private static List<String> lines(byte[] description) {
    return new String(description, StandardCharsets.UTF_8).lines().toList();
  }
}
