package org.ringwire.heap.image.template;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.shape.Description;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.heap.image.shape.Slot;
import org.ringwire.heap.image.shape.Tags;

/**
 * Where the fields of a class lie in this JVM, and in which order images have them: all primitive
 * ones, superclasses first, long ones first, else as declared, and then all references. Adjacent
 * primitive fields are one run, copied in words of 8, 4, 2 and 1 bytes. Images have no gaps, so
 * what differs between JVMs (headers, length of references) does not show in them.
 */
final class ObjectLayout {
  private static final Word NO_WORD = new Word(0, 0, 0);
  private static final Slot NO_SLOT = new Slot(Object.class, "", 0, Object.class, null);

  /**
   * Bytes that are copied at once.
   *
   * @param offset in the object
   * @param size 8, 4, 2 or 1
   * @param mask what of it may be set: 1 of each byte that is a boolean, all of others
   */
  record Word(long offset, int size, long mask) {

    /** Copies it to memory; returns the address behind it. */
    long copyOut(Object o, long a) {
      switch (size) {
        case Long.BYTES -> UNSAFE.putLong(a, UNSAFE.getLong(o, offset));
        case Integer.BYTES -> UNSAFE.putInt(a, UNSAFE.getInt(o, offset));
        case Short.BYTES -> UNSAFE.putShort(a, UNSAFE.getShort(o, offset));
        default -> UNSAFE.putByte(a, UNSAFE.getByte(o, offset));
      }
      return a + size;
    }

    /** Copies it from memory; returns the address behind it. */
    long copyIn(long a, Object o) {
      store(o, read(a));
      return a + size;
    }

    /** What memory has for it. */
    long read(long a) {
      return load(null, a);
    }

    /** What an object has. */
    long load(Object o) {
      return load(o, offset);
    }

    /** Bytes of an object or, with none, of memory. */
    private long load(@Nullable Object o, long at) {
      return switch (size) {
        case Long.BYTES -> UNSAFE.getLong(o, at);
        case Integer.BYTES -> UNSAFE.getInt(o, at);
        case Short.BYTES -> UNSAFE.getShort(o, at);
        default -> UNSAFE.getByte(o, at);
      };
    }

    /** Masked, because a boolean that is neither 0 nor 1 breaks assumptions of the JVM. */
    void store(Object o, long value) {
      switch (size) {
        case Long.BYTES -> UNSAFE.putLong(o, offset, value & mask);
        case Integer.BYTES -> UNSAFE.putInt(o, offset, (int) (value & mask));
        case Short.BYTES -> UNSAFE.putShort(o, offset, (short) (value & mask));
        default -> UNSAFE.putByte(o, offset, (byte) (value & mask));
      }
    }
  }

  final Class<?> type;

  /** The tag, or 0 if images declare the class. */
  final int tag;

  final byte[] description;
  final List<Word> words;
  final List<Slot> slots;
  final int wordBytes;

  /** Where the template leaves the shape that it made of this layout. */
  @Nullable Shape shape;

  private ObjectLayout(
      Class<?> type, byte[] description, List<Word> words, List<Slot> slots, int wordBytes) {
    this.type = type;
    this.tag = type == Object.class ? Tags.OBJECT : 0;
    this.description = description;
    this.words = words;
    this.slots = slots;
    this.wordBytes = wordBytes;
  }

  /** The layout of a class whose fields may all be sent. */
  static ObjectLayout of(Class<?> type, FieldRules rules) {
    List<Field> primitives = new ArrayList<>();
    List<Slot> slots = new ArrayList<>();
    List<Field> all = new ArrayList<>();
    for (Class<?> c : fromTheTop(type)) {
      List<Field> own = fieldsOf(c, rules);
      addPrimitives(own, primitives);
      for (Field field : own) {
        if (!field.getType().isPrimitive()) {
          slots.add(slot(type, field, rules));
          all.add(field);
        }
      }
    }
    all.addAll(0, primitives);
    int bytes = 0;
    for (Field field : primitives) {
      bytes += sizeOf(field.getType());
    }
    byte[] description = Description.ofObject(type, all);
    return new ObjectLayout(type, description, wordsOf(primitives), List.copyOf(slots), bytes);
  }

  private static Deque<Class<?>> fromTheTop(Class<?> type) {
    Deque<Class<?>> classes = new ArrayDeque<>();
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      classes.addFirst(c);
    }
    return classes;
  }

  private static List<Field> fieldsOf(Class<?> c, FieldRules rules) {
    List<Field> fields = new ArrayList<>();
    for (Field field : c.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !rules.isLeftOut(field)) {
        fields.add(field);
      }
    }
    return fields;
  }

  /** Those of one class: long ones first, else as declared. */
  private static void addPrimitives(List<Field> fields, List<Field> primitives) {
    for (int size = Long.BYTES; size > 0; size /= 2) {
      for (Field field : fields) {
        if (field.getType().isPrimitive() && sizeOf(field.getType()) == size) {
          primitives.add(field);
        }
      }
    }
  }

  private static Slot slot(Class<?> type, Field field, FieldRules rules) {
    Class<?> declared = field.getType();
    Shape expected = declared == type ? null : rules.expected(declared);
    return new Slot(
        field.getDeclaringClass(),
        field.getName(),
        UNSAFE.objectFieldOffset(field),
        declared,
        expected);
  }

  private static List<Word> wordsOf(List<Field> primitives) {
    List<Word> words = new ArrayList<>();
    int i = 0;
    while (i < primitives.size()) {
      long start = UNSAFE.objectFieldOffset(primitives.get(i));
      List<Long> masks = new ArrayList<>();
      long end = start;
      while (i < primitives.size() && UNSAFE.objectFieldOffset(primitives.get(i)) == end) {
        Class<?> fieldType = primitives.get(i).getType();
        for (int k = 0; k < sizeOf(fieldType); k++) {
          masks.add(fieldType == boolean.class ? 1L : 0xffL);
        }
        end += sizeOf(fieldType);
        i++;
      }
      addRun(start, masks, words);
    }
    return List.copyOf(words);
  }

  private static void addRun(long start, List<Long> masks, List<Word> words) {
    int at = 0;
    while (at < masks.size()) {
      int size = Math.min(Long.BYTES, Integer.highestOneBit(masks.size() - at));
      long mask = 0;
      for (int k = size - 1; k >= 0; k--) {
        mask = mask << Byte.SIZE | masks.get(at + k);
      }
      words.add(new Word(start + at, size, mask));
      at += size;
    }
  }

  /** Whether every reference leads to an object of a final class that is a leaf, or nowhere. */
  boolean isLeaf() {
    for (Slot slot : slots) {
      Shape expected = slot.expected();
      boolean isFinal = Modifier.isFinal(slot.declared().getModifiers());
      boolean isArray = slot.declared().isArray();
      if (expected == null || !expected.isLeaf() || !(isFinal || isArray)) {
        return false;
      }
    }
    return true;
  }

  static int sizeOf(Class<?> primitive) {
    return UNSAFE.arrayIndexScale(primitive.arrayType());
  }

  /** A word, or one of no bytes if there are fewer. */
  Word word(int index) {
    return index < words.size() ? words.get(index) : NO_WORD;
  }

  /** A slot, or a harmless one if there are fewer. */
  Slot slot(int index) {
    return index < slots.size() ? slots.get(index) : NO_SLOT;
  }

  /** What a slot most probably refers to, if that is known for good. */
  @Nullable Shape expected(int index, Shape self) {
    Slot slot = slot(index);
    return slot.declared() == type ? self : slot.expected();
  }
}
