package org.ringwire.codec.generate.layout;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.runtime.EnumIndex;

/**
 * How the values of one type are laid out in bytes; {@code docs/encoding.md} is the specification.
 * A layout is fixed when all its values take the same number of bytes.
 *
 * <p>Values that cannot express null themselves (see {@link #needsNullBit}) get a bit in the record
 * or sequence that holds them.
 */
public sealed interface Layout
    permits Layout.Scalar,
        Layout.CompactNumber,
        Layout.Value,
        Layout.PrimitiveArray,
        Layout.Constant,
        Layout.Sequence,
        Layout.Dictionary,
        Layout.Maybe,
        Layout.Choice,
        Layout.Product,
        EvolvedLayout {
  /** The width of a layout that is not fixed. */
  int VARIABLE = -1;

  /** The type as schemas name it. */
  String text();

  /** The erased Java type of the values. */
  Class<?> type();

  /** Bytes of every value, or {@link #VARIABLE}. */
  int width();

  /** Whether null is not among the values that the bytes can express. */
  default boolean needsNullBit() {
    return false;
  }

  default boolean isFixed() {
    return width() != VARIABLE;
  }

  /** The fewest bytes that a value or null takes in a variable context. */
  default int minimum() {
    return needsNullBit() ? 0 : isFixed() ? width() : 1;
  }

  /** A primitive, or its boxed form. */
  record Scalar(Primitive primitive, boolean boxed) implements Layout {
    @Override
    public String text() {
      return type().getSimpleName();
    }

    @Override
    public Class<?> type() {
      return boxed ? primitive.boxedType() : primitive.type();
    }

    @Override
    public int width() {
      return primitive.width();
    }

    @Override
    public boolean needsNullBit() {
      return boxed;
    }
  }

  /** An int or long with as many bytes as its value needs. */
  record CompactNumber(Primitive primitive) implements Layout {
    @Override
    public String text() {
      return "compact-" + primitive.type().getName();
    }

    @Override
    public Class<?> type() {
      return primitive.type();
    }

    @Override
    public int width() {
      return VARIABLE;
    }
  }

  /** Types of the JDK that are values. */
  enum Value implements Layout {
    STRING(String.class, VARIABLE),
    BYTES(MemorySegment.class, VARIABLE),
    UUID_VALUE(UUID.class, 16),
    INSTANT(Instant.class, 12),
    DURATION(Duration.class, 12);

    private final Class<?> type;
    private final int width;

    Value(Class<?> type, int width) {
      this.type = type;
      this.width = width;
    }

    @Override
    public String text() {
      return type.getSimpleName();
    }

    @Override
    public Class<?> type() {
      return type;
    }

    @Override
    public int width() {
      return width;
    }

    @Override
    public boolean needsNullBit() {
      return width != VARIABLE;
    }
  }

  /** An array of a primitive, copied as a block. */
  record PrimitiveArray(Primitive primitive) implements Layout {
    @Override
    public String text() {
      return primitive.type().getName() + "[]";
    }

    @Override
    public Class<?> type() {
      return primitive.type().arrayType();
    }

    @Override
    public int width() {
      return VARIABLE;
    }
  }

  /** A constant of an enum, as its index in the order of names plus one; 0 is null. */
  record Constant(String text, Class<?> type, EnumIndex index) implements Layout {
    @Override
    public int width() {
      return index.width();
    }
  }

  /** What holds the elements of a {@link Sequence}. */
  enum Container {
    ARRAY,
    LIST,
    SET
  }

  /** An array of references, a list or a set. */
  record Sequence(Container container, Class<?> type, Layout element) implements Layout {
    @Override
    public String text() {
      return switch (container) {
        case ARRAY -> element.text() + "[]";
        case LIST -> "List<" + element.text() + ">";
        case SET -> "Set<" + element.text() + ">";
      };
    }

    @Override
    public int width() {
      return VARIABLE;
    }

    static Sequence arrayOf(Layout element) {
      return new Sequence(Container.ARRAY, element.type().arrayType(), element);
    }

    static Sequence listOf(Layout element) {
      return new Sequence(Container.LIST, List.class, element);
    }

    static Sequence setOf(Layout element) {
      return new Sequence(Container.SET, Set.class, element);
    }

    /**
     * Bytes from one element to the next if they are fixed; never 0, so that bytes bound counts.
     */
    public int stride() {
      return Math.max(1, element.width());
    }
  }

  /** A map. */
  record Dictionary(Layout key, Layout value) implements Layout {
    @Override
    public String text() {
      return "Map<" + key.text() + "," + value.text() + ">";
    }

    @Override
    public Class<?> type() {
      return Map.class;
    }

    @Override
    public int width() {
      return VARIABLE;
    }
  }

  /** An optional: a byte that tells null, empty and present apart, then the value. */
  record Maybe(Layout value) implements Layout {
    @Override
    public String text() {
      return "Optional<" + value.text() + ">";
    }

    @Override
    public Class<?> type() {
      return Optional.class;
    }

    @Override
    public int width() {
      int content = value.width(); // asked once: optionals of optionals would double the work
      return content == VARIABLE ? VARIABLE : 1 + content;
    }
  }

  /** One of the records and enums that a sealed interface permits. */
  final class Choice implements Layout {
    private final String text;
    private final Class<?> type;
    private List<Layout> subtypes = List.of();

    Choice(String text, Class<?> type) {
      this.text = text;
      this.type = type;
    }

    /** Ends the construction, which may have met this layout again. */
    void complete(List<Layout> subtypesInOrder) {
      subtypes = List.copyOf(subtypesInOrder);
    }

    public List<Layout> subtypes() {
      return subtypes;
    }

    @Override
    public String text() {
      return text;
    }

    @Override
    public Class<?> type() {
      return type;
    }

    @Override
    public int width() {
      return VARIABLE;
    }
  }

  /**
   * A component of a record.
   *
   * @param name as declared
   * @param layout its bytes
   * @param declaredType the erased type that accessor and constructor have
   * @param absent what it is when a writer has no such component; for the default of the type null
   */
  record Component(String name, Layout layout, Class<?> declaredType, @Nullable Object absent) {}

  /**
   * A parameter of a record's constructor.
   *
   * @param type the erased type
   * @param source the component that was read for it, or null if there is none
   * @param absent what it is then
   */
  record Argument(Class<?> type, @Nullable Component source, @Nullable Object absent) {}

  /** A record: bits for null, then the fixed components, then the others. */
  final class Product implements Layout {
    /** Records up to this width are laid out in place as fixed parts of others. */
    private static final int MAX_FIXED_WIDTH = 128;

    private final String text;
    private final Class<?> type;
    private List<Component> components = List.of();
    private List<Argument> arguments = List.of();
    private int fixedLength;
    private int width = VARIABLE;
    private boolean recursive;
    private boolean nesting; // recursive, or read into what is

    Product(String text, Class<?> type) {
      this.text = text;
      this.type = type;
    }

    /** The bytes of another layout, to be read into a record of this side. */
    Product(String text, Product here, Product written) {
      this(text, here.type);
      fixedLength = written.fixedLength;
      width = written.width;
      recursive = written.recursive;
      nesting = written.recursive || here.recursive;
    }

    /** Ends the construction of a layout that is read into a record of this side. */
    void complete(List<Component> all, List<Argument> constructorArguments) {
      components = List.copyOf(all);
      arguments = List.copyOf(constructorArguments);
    }

    /**
     * Ends the construction, which may have met this layout again; {@link #settle} follows when all
     * others are complete, too.
     */
    void complete(List<Component> all) {
      components = List.copyOf(all);
      arguments = all.stream().map(c -> new Argument(c.declaredType(), c, null)).toList();
    }

    /**
     * Finds the width, after those of the components.
     *
     * @param containsItself then it is never fixed, and its depth is bounded
     */
    void settle(boolean containsItself) {
      recursive = containsItself;
      nesting = containsItself;
      fixedLength =
          nullBytes() + fixedComponents().stream().mapToInt(c -> c.layout().width()).sum();
      boolean fixed = !recursive && fixedComponents().size() == components.size();
      width = fixed && fixedLength <= MAX_FIXED_WIDTH ? fixedLength : VARIABLE;
    }

    public boolean isRecursive() {
      return recursive;
    }

    /**
     * Whether it is a peer that says how deep values nest: also if its schema has another type for
     * each depth, all of which are one recursive type of this side.
     */
    public boolean isNesting() {
      return nesting;
    }

    public List<Component> components() {
      return components;
    }

    /** What the constructor gets. */
    public List<Argument> arguments() {
      return arguments;
    }

    public List<Component> fixedComponents() {
      return components.stream().filter(c -> c.layout().isFixed()).toList();
    }

    public List<Component> variableComponents() {
      return components.stream().filter(c -> !c.layout().isFixed()).toList();
    }

    /** Components with a null bit, in the order of their bits. */
    public List<Component> nullableComponents() {
      return components.stream().filter(c -> c.layout().needsNullBit()).toList();
    }

    public int nullBytes() {
      return (nullableComponents().size() + 7) / 8;
    }

    /** Bytes in front of the first variable component. */
    public int fixedLength() {
      return fixedLength;
    }

    @Override
    public String text() {
      return text;
    }

    @Override
    public Class<?> type() {
      return type;
    }

    @Override
    public int width() {
      return width;
    }

    @Override
    public boolean needsNullBit() {
      return true;
    }
  }
}
