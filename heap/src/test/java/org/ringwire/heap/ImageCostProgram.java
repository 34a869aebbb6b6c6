package org.ringwire.heap;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;

/**
 * Decodes images that are as costly as they can be for their length, and says what was allocated
 * for each byte of theirs: what they cost in the end and what was needed only for a while.
 */
final class ImageCostProgram {
  private static final int ELEMENTS = 12_500; // hash tables of them are as empty as they get
  private static final int ENOUGH = 200;
  private static final int HEADER = 16;
  private static final byte LATER = 2;
  private static final byte DECLARE = 3;
  private static final byte PRIMITIVE_ARRAYS = 25;
  private static final byte VALUES = 48;
  private static final byte FIRST_CONTAINER = 64;
  private static final byte CONTAINERS_END = 127;
  private static final byte DECLARED = (byte) 128;
  private static final byte OBJECT = 33;
  private static final byte OBJECT_ARRAY = 34;

  private ImageCostProgram() {}

  /** A received object without content that is asked at the end. */
  static final class Unit implements Validated, Comparable<Unit> {
    @Override
    public void validate() {}

    @Override
    public int compareTo(Unit other) {
      return 1;
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Costly(String name, byte[] body) {}

  /** The argument is the most that a byte may cost. */
  public static void main(String[] words) throws ReflectiveOperationException {
    double most = Double.parseDouble(words[0]);
    HeapCodec codec = HeapCodec.builder().accept(Unit.class).build();
    List<Costly> all = new ArrayList<>();
    addContainers(all);
    addSmallOnes(all);
    addValues(all);
    boolean isOk = true;
    int accepted = 0;
    for (Costly costly : all) {
      for (boolean isTracked : new boolean[] {false, true}) {
        byte[] image = image(costly.body, isTracked);
        Object _ = decoded(codec, Arrays.copyOf(image, image.length)); // loads classes
        long before = allocatedBytes();
        Object decoded = decoded(codec, image);
        double each = (allocatedBytes() - before) / (double) image.length;
        accepted += decoded == null ? 0 : 1;
        if (each > most) {
          isOk = false;
          System.out.printf("%s tracked=%s each=%.1f%n", costly.name, isTracked, each);
        }
      }
    }
    System.out.println("images=" + 2 * all.size() + " accepted=" + accepted);
    System.out.println(isOk && accepted > ENOUGH ? "OK" : "too much");
  }

  /** By its name: the module that the tests are in does not read that of the JDK. */
  private static long allocatedBytes() throws ReflectiveOperationException {
    Object threads =
        Class.forName("java.lang.management.ManagementFactory")
            .getMethod("getThreadMXBean")
            .invoke(null);
    return (long)
        Class.forName("com.sun.management.ThreadMXBean")
            .getMethod("getCurrentThreadAllocatedBytes")
            .invoke(threads);
  }

  private static @Nullable Object decoded(HeapCodec codec, byte[] image) {
    try {
      return codec.decode(MemorySegment.ofArray(image));
    } catch (DecodingException e) {
      return null;
    }
  }

  private static byte[] image(byte[] body, boolean isTracked) {
    int flags = 0x4852 | 1 << 16 | (isTracked ? 1 << 24 : 0);
    int objects = isTracked ? ELEMENTS + 1 : 0;
    return joined(words(flags, objects, HEADER + body.length, 0), body);
  }

  /** One container with as many elements as there are bytes for. */
  private static void addContainers(List<Costly> all) {
    for (byte tag = FIRST_CONTAINER; tag < CONTAINERS_END; tag++) {
      byte[] front =
          isSorted(tag)
              ? joined(one(tag), words(ELEMENTS + 1, 0), one((byte) 0))
              : joined(one(tag), words(ELEMENTS, 0));
      addElements(all, "container " + tag, front);
    }
    byte[] array = joined(one(OBJECT_ARRAY), words(ELEMENTS));
    addElements(all, "array", array);
    all.add(new Costly("put off", joined(array, many(ELEMENTS, LATER))));
  }

  private static boolean isSorted(byte tag) {
    return (tag >= FIRST_CONTAINER + 24 && tag < FIRST_CONTAINER + 28)
        || (tag >= FIRST_CONTAINER + 56 && tag < FIRST_CONTAINER + 59);
  }

  private static void addElements(List<Costly> all, String name, byte[] front) {
    all.add(new Costly(name, joined(front, many(ELEMENTS, OBJECT))));
    byte[] description = (Unit.class.getName() + "\nobject").getBytes(StandardCharsets.UTF_8);
    byte[] first = joined(one(DECLARE), words(description.length), description);
    byte[] units = joined(front, first, many(ELEMENTS - 1, DECLARED));
    all.add(new Costly(name + " of validated", units));
  }

  /** An array of containers that have nothing, or few objects. */
  private static void addSmallOnes(List<Costly> all) {
    for (byte tag = FIRST_CONTAINER; tag < CONTAINERS_END; tag++) {
      for (int count = 0; count < 4; count++) {
        byte[] content = many(count, OBJECT);
        if (isSorted(tag) && count > 0) {
          content[0] = 0;
        }
        byte[] container = joined(one(tag), words(count, 0), content);
        all.add(new Costly("containers " + tag + " of " + count, repeated(_ -> container)));
      }
    }
  }

  private static void addValues(List<Costly> all) {
    for (byte tag = 16; tag < FIRST_CONTAINER; tag++) {
      for (int length = 0; length < 14; length++) {
        byte[] value =
            tag < PRIMITIVE_ARRAYS
                ? joined(one(tag), new byte[length])
                : joined(one(tag), words(tag < VALUES ? 0 : length), new byte[length]);
        all.add(new Costly("values " + tag + " of " + length, repeated(_ -> value)));
      }
    }
    for (byte tag = VALUES + 2; tag < VALUES + 8; tag++) {
      for (String form : new String[] {"%04x", "\0\0%04x", "%03x\0\0", "%04x-%1$04x", "x-%04x"}) {
        byte text = tag;
        String name = "texts " + tag + " " + form.replace('\0', '_');
        all.add(new Costly(name, repeated(i -> text(text, form.formatted(i & 0xffff)))));
      }
    }
  }

  private static byte[] text(byte tag, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_16LE);
    return joined(one(tag), words(bytes.length), bytes);
  }

  private static byte[] repeated(IntFunction<byte[]> element) {
    int count = ELEMENTS / 10;
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      all.writeBytes(element.apply(i));
    }
    return joined(one(OBJECT_ARRAY), words(count), all.toByteArray());
  }

  private static byte[] one(byte value) {
    return many(1, value);
  }

  private static byte[] many(int count, byte value) {
    byte[] bytes = new byte[count];
    Arrays.fill(bytes, value);
    return bytes;
  }

  /** Little-endian. */
  private static byte[] words(int... words) {
    byte[] bytes = new byte[Integer.BYTES * words.length];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().put(words);
    return bytes;
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
