package org.ringwire.heap.image.classes;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.heap.image.shape.Description;
import org.ringwire.heap.image.shape.Input;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.heap.image.shape.SpecialShape;
import org.ringwire.heap.image.shape.Tags;

/**
 * Which classes the numbers in images stand for: of one image, or, where a sender declares a class
 * once for all its images, of that sender. What it has declared in graphs that nobody has read is
 * asked for when it is needed. For one thread.
 */
public final class ClassNumbers {
  /** How many classes there are numbers for; a sender declares no more. */
  public static final int MOST_CLASSES = 1 << 16;

  private static final int TAGS = Tags.COUNT - Tags.DECLARED;

  private final AcceptedClasses accepted;
  private final @Nullable ClassService service;
  private final Shape[] byTag;

  /** Declared classes by number, also of earlier images, whose descriptions may come again. */
  private @Nullable Shape[] declared = new @Nullable Shape[16];

  private int count;

  /** How many shapes that every image knows are in the table. */
  private int builtIn;

  /** Knows the numbers of each image, or with a service those of its sender. */
  public ClassNumbers(AcceptedClasses accepted, @Nullable ClassService service) {
    this.accepted = accepted;
    this.service = service;
    this.byTag = SpecialShape.table(service != null);
    this.builtIn = BuiltInShapes.copyTo(byTag);
  }

  /** By tag; never null, since what is no class has a shape that does what the tag says. */
  public Shape[] byTag() {
    return byTag;
  }

  /** Forgets the numbers of an image, if they are its own. */
  public void reset() {
    if (service == null) {
      Arrays.fill(
          byTag, Tags.DECLARED, Tags.DECLARED + Math.min(count, TAGS), SpecialShape.INVALID);
      count = 0;
    }
  }

  /** The shape behind a tag that stands for none so far, for which more may have to be read. */
  public Shape shapeOf(int tag, Input in) {
    return switch (tag) {
      case Tags.DECLARE -> declare(in);
      case Tags.DECLARE_AS -> declareAs(in);
      case Tags.WIDE -> wide(in);
      default -> tag < Tags.DECLARED ? builtIn(tag) : numbered(tag - Tags.DECLARED, 0);
    };
  }

  /** Reads a description; the class has the next number from now on. */
  private Shape declare(Input in) {
    if (service != null) {
      throw new DecodingException("a class without a number");
    }
    int length = lengthIn(in);
    return set(count, in.take(length), length);
  }

  /** Reads a number and a description. */
  private Shape declareAs(Input in) {
    int number = UNSAFE.getInt(in.take(Integer.BYTES));
    if (service == null) {
      throw new DecodingException("a class with a number in an image of its own");
    }
    int length = lengthIn(in);
    return set(number, in.take(length), length);
  }

  private static int lengthIn(Input in) {
    int length = UNSAFE.getInt(in.take(Integer.BYTES));
    if (length < 0 || length > Description.MOST_BYTES) {
      throw new DecodingException("description of a class is too long: length=" + length);
    }
    return length;
  }

  private Shape set(int number, long a, int length) {
    requireNumber(number);
    Shape shape = number < declared.length ? declared[number] : null;
    if (shape == null
        || shape.description().length != length
        || !Raw.isEqual(a, shape.description())) {
      byte[] description = new byte[length];
      Raw.copyIn(a, description);
      shape = accepted.described(description);
    }
    return put(number, shape);
  }

  private static void requireNumber(int number) {
    if (number < 0 || number >= MOST_CLASSES) {
      throw new DecodingException("no class has this number: number=" + number);
    }
  }

  private Shape put(int number, Shape shape) {
    if (number >= declared.length) {
      declared = Arrays.copyOf(declared, Math.max(2 * declared.length, number + 1));
    }
    declared[number] = shape;
    refresh();
    count = Math.max(count, number + 1);
    if (number < TAGS) {
      byTag[Tags.DECLARED + number] = shape;
    }
    return shape;
  }

  /** Has the table find what a shape that is about to be used expects, as it was made before. */
  private void refresh() {
    if (builtIn != BuiltInShapes.count()) {
      builtIn = BuiltInShapes.copyTo(byTag);
    }
  }

  /** The class that every image knows by a tag. */
  private Shape builtIn(int tag) {
    Shape shape = tag < Tags.STRING ? null : BuiltInShapes.withTag(tag);
    if (shape == null) {
      throw new DecodingException("no such tag in an image");
    }
    refresh();
    return shape;
  }

  /** The class whose number, above those with tags, follows. */
  private Shape wide(Input in) {
    return numbered(UNSAFE.getInt(in.take(Integer.BYTES)) + TAGS, TAGS);
  }

  /** The class with a number. */
  private Shape numbered(int number, int least) {
    requireNumber(number);
    Shape shape = number >= least && number < count ? declared[number] : null;
    if (shape != null) {
      return shape;
    }
    if (service == null) {
      throw new DecodingException("no class has this number: number=" + number);
    }
    List<String> missed = service.declaredFrom(number);
    if (missed.isEmpty()) {
      throw new DecodingException("the sender has not declared a class: number=" + number);
    }
    return put(number, accepted.described(missed.getFirst().getBytes(StandardCharsets.UTF_8)));
  }
}
