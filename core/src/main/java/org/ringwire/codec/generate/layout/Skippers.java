package org.ringwire.codec.generate.layout;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.codec.Reader;
import org.ringwire.codec.runtime.RecordCodec;
import org.ringwire.codec.runtime.Sequences;
import org.ringwire.codec.runtime.Skipper;
import org.ringwire.codec.runtime.Values;

/** Makes skippers for the layouts of one schema; those of named types are shared. */
final class Skippers {
  private final Map<String, Skipper> named = new HashMap<>();

  Skipper of(Layout layout) {
    return switch (layout) {
      case Layout.Product product when !product.isFixed() -> record(product);
      case Layout.Choice choice -> choice(choice);
      case Layout.CompactNumber _ -> new Compact();
      case Layout.Value.STRING -> new Block(1);
      case Layout.Value.BYTES -> new Bytes();
      case Layout.PrimitiveArray array -> new Block(array.primitive().width());
      case Layout.Sequence sequence -> new Elements(sequence, of(sequence.element()));
      case Layout.Dictionary map -> new Entries(map, of(map.key()), of(map.value()));
      case Layout.Maybe maybe when !maybe.isFixed() -> new Content(of(maybe.value()));
      default -> new Fixed(layout.width());
    };
  }

  private Skipper record(Layout.Product product) {
    Skipper known = named.get(product.text());
    if (known != null) {
      return known;
    }
    List<Layout.Component> variable = product.variableComponents();
    Components made = new Components(product, new Skipper[variable.size()]);
    named.put(product.text(), made);
    for (int i = 0; i < variable.size(); i++) {
      made.parts[i] = of(variable.get(i).layout());
    }
    return made;
  }

  private Skipper choice(Layout.Choice choice) {
    Skipper known = named.get(choice.text());
    if (known != null) {
      return known;
    }
    Subtypes made = new Subtypes(choice.text(), new Skipper[choice.subtypes().size()]);
    named.put(choice.text(), made);
    for (int i = 0; i < made.parts.length; i++) {
      made.parts[i] = of(choice.subtypes().get(i));
    }
    return made;
  }

  private static final class Fixed extends Skipper {
    private final int width;

    Fixed(int width) {
      this.width = width;
    }

    @Override
    public void skip(Reader reader, int depth) {
      reader.advance(width);
    }
  }

  private static final class Compact extends Skipper {
    @Override
    public void skip(Reader reader, int depth) {
      reader.getCompactUnsignedLong();
    }
  }

  /** A count, then as many items of one width. */
  private static final class Block extends Skipper {
    private final int width;

    Block(int width) {
      this.width = width;
    }

    @Override
    public void skip(Reader reader, int depth) {
      int count = Sequences.getCount(reader, width, 0);
      if (count > 0) {
        reader.advance((long) count * width);
      }
    }
  }

  private static final class Bytes extends Skipper {
    @Override
    public void skip(Reader reader, int depth) {
      long length = reader.getCompactUnsignedLong() - 1;
      if (length != -1) {
        reader.advance(length);
      }
    }
  }

  private static final class Elements extends Skipper {
    private final Skipper element;
    private final boolean nullable;
    private final boolean fixed;
    private final int minimum;

    Elements(Layout.Sequence sequence, Skipper element) {
      this.element = element;
      nullable = sequence.element().needsNullBit();
      fixed = sequence.element().isFixed();
      minimum = fixed ? sequence.stride() : sequence.element().minimum();
    }

    @Override
    public void skip(Reader reader, int depth) {
      int count = Sequences.getCount(reader, minimum, nullable ? 1 : 0);
      if (count <= 0) {
        return;
      }
      long nulls = skipNulls(reader, nullable, count);
      if (fixed) {
        reader.advance((long) count * minimum);
        return;
      }
      int within = Skipper.deeper(depth);
      for (int i = 0; i < count; i++) {
        skipUnlessNull(reader, element, nulls, i, within);
      }
    }
  }

  private static final class Entries extends Skipper {
    private final Skipper key;
    private final Skipper value;
    private final boolean nullableKey;
    private final boolean nullableValue;
    private final int minimum;

    Entries(Layout.Dictionary map, Skipper key, Skipper value) {
      this.key = key;
      this.value = value;
      nullableKey = map.key().needsNullBit();
      nullableValue = map.value().needsNullBit();
      minimum = map.key().minimum() + map.value().minimum();
    }

    @Override
    public void skip(Reader reader, int depth) {
      int bitmaps = (nullableKey ? 1 : 0) + (nullableValue ? 1 : 0);
      int count = Sequences.getCount(reader, minimum, bitmaps);
      if (count <= 0) {
        return;
      }
      long keyNulls = skipNulls(reader, nullableKey, count);
      long valueNulls = skipNulls(reader, nullableValue, count);
      int within = Skipper.deeper(depth);
      for (int i = 0; i < count; i++) {
        skipUnlessNull(reader, key, keyNulls, i, within);
        skipUnlessNull(reader, value, valueNulls, i, within);
      }
    }
  }

  private static final long NO_NULLS = -1;

  /** Passes over the bits for null; where they are, or {@link #NO_NULLS}. */
  private static long skipNulls(Reader reader, boolean nullable, int count) {
    return nullable ? reader.advance(Sequences.nullBytes(count)) : NO_NULLS;
  }

  private static void skipUnlessNull(
      Reader reader, Skipper skipper, long nulls, int index, int depth) {
    if (nulls == NO_NULLS || !Sequences.isNull(reader.memory(), nulls, index)) {
      skipper.skip(reader, depth);
    }
  }

  private static final class Content extends Skipper {
    private static final int PRESENT = 2;

    private final Skipper value;

    Content(Skipper value) {
      this.value = value;
    }

    @Override
    public void skip(Reader reader, int depth) {
      int state = reader.getByte();
      Values.checkOptional(state);
      if (state == PRESENT) {
        value.skip(reader, Skipper.deeper(depth));
      }
    }
  }

  /** A record that is not fixed. Its depth is bounded where that of its codec is. */
  private static final class Components extends Skipper {
    private final boolean recursive;
    private final int fixedLength;
    private final Skipper[] parts;

    /** The index of the null bit of each part; -1 if it has none. */
    private final int[] nullBits;

    Components(Layout.Product product, Skipper[] parts) {
      this.parts = parts;
      recursive = product.isRecursive();
      fixedLength = product.fixedLength();
      List<Layout.Component> nullable = product.nullableComponents();
      nullBits = product.variableComponents().stream().mapToInt(nullable::indexOf).toArray();
    }

    @Override
    public void skip(Reader reader, int depth) {
      if (recursive) {
        RecordCodec.checkReadDepth(Skipper.records(depth));
      }
      long bits = reader.advance(fixedLength);
      for (int i = 0; i < parts.length; i++) {
        long nulls = nullBits[i] < 0 ? NO_NULLS : bits;
        skipUnlessNull(reader, parts[i], nulls, nullBits[i], depth + 1);
      }
    }
  }

  /** A sealed interface, which is as deep as the record that it is, as for its codec. */
  private static final class Subtypes extends Skipper {
    private final String name;
    private final @Nullable Skipper[] parts;

    Subtypes(String name, @Nullable Skipper[] parts) {
      this.name = name;
      this.parts = parts;
    }

    @Override
    public void skip(Reader reader, int depth) {
      int tag = reader.getCompactUnsignedInt();
      if (tag == 0) {
        return;
      }
      RecordCodec.checkReadDepth(Skipper.records(depth));
      Skipper part = tag < 0 || tag > parts.length ? null : parts[tag - 1];
      if (part == null) {
        throw new DecodingException(
            "no such subtype of " + name + ": found " + Integer.toUnsignedString(tag));
      }
      part.skip(reader, depth);
    }
  }
}
