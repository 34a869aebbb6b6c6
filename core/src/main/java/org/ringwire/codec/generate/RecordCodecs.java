package org.ringwire.codec.generate;

import java.lang.invoke.MethodHandles.Lookup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.ringwire.codec.Codec;
import org.ringwire.codec.DecodingException;
import org.ringwire.codec.Schema;
import org.ringwire.codec.generate.emit.CodecClass;
import org.ringwire.codec.generate.layout.EvolvedLayout;
import org.ringwire.codec.generate.layout.Layout;
import org.ringwire.codec.generate.layout.LayoutMatcher;
import org.ringwire.codec.generate.layout.LayoutResolver;
import org.ringwire.codec.generate.layout.SchemaLayouts;
import org.ringwire.codec.generate.layout.SchemaText;
import org.ringwire.codec.runtime.ChoiceCodec;
import org.ringwire.codec.runtime.EnumCodec;
import org.ringwire.codec.runtime.EnumIndex;
import org.ringwire.codec.runtime.RecordCodec;
import org.ringwire.codec.runtime.UnknownSubtype;

/**
 * Generates the codecs of records and enums. Any thread; generation is serialised by a lock, and
 * what was generated once is used again, except for generic records.
 */
public final class RecordCodecs {
  private static final RecordCodecs SHARED = new RecordCodecs(new CodecAccess(null));

  private final CodecAccess access;
  private final Object lock = new Object();

  /** Codecs by class; weak in the class, and guarded by the lock where it is filled. */
  private final ClassValue<Map<String, RecordCodec<?>>> finished =
      new ClassValue<>() {
        @Override
        protected Map<String, RecordCodec<?>> computeValue(Class<?> type) {
          return new HashMap<>();
        }
      };

  private RecordCodecs(CodecAccess access) {
    this.access = access;
  }

  /**
   * What is made for a class.
   *
   * @param codec reads and writes its objects
   * @param schema says what the bytes mean
   * @param <T> the class
   */
  public record Generated<T>(Codec<T> codec, Schema schema) {}

  /** The generator for public records and those in open packages, shared by all catalogs. */
  public static RecordCodecs shared() {
    return SHARED;
  }

  /** A generator with the rights of a lookup. */
  public static RecordCodecs using(Lookup lookup) {
    return new RecordCodecs(new CodecAccess(lookup));
  }

  /**
   * Generates what is needed to send and receive objects of a class.
   *
   * @throws IllegalArgumentException if that cannot be done; the message says why
   */
  @SuppressWarnings("unchecked")
  public <T> Generated<T> generate(Class<T> type) {
    Layout layout = new LayoutResolver().resolveMessage(type);
    Schema schema = SchemaText.of(layout);
    synchronized (lock) {
      Session session = new Session();
      Codec<T> codec = (Codec<T>) session.codecOf(layout);
      session.publish();
      return new Generated<>(codec, schema);
    }
  }

  /**
   * Finds out how to read what a peer writes whose version of a class differs.
   *
   * @param type a class that {@link #generate} has taken
   * @param written the peer's schema, which may be hostile
   * @return yields the codec, always the same one; generates it when it is first asked
   * @throws IllegalArgumentException if what the schema describes cannot be read into the class;
   *     the message names type and component
   */
  public <T> Supplier<Codec<T>> evolve(Class<T> type, Schema written) {
    LayoutResolver here = new LayoutResolver();
    Layout local = here.resolveMessage(type);
    LayoutMatcher matcher = new LayoutMatcher(here.namedTypes(), written.toString().length());
    Layout matched;
    try {
      matched = matcher.match(SchemaLayouts.of(written), local);
    } catch (DecodingException e) {
      throw new IllegalArgumentException(local.text() + ": " + e.getMessage(), e);
    }
    return new Evolution<>(() -> generate(matcher.products(), matched));
  }

  @SuppressWarnings("unchecked")
  private <T> Codec<T> generate(List<Layout.Product> products, Layout matched) {
    Session session = new Session();
    session.generateAll(products);
    return (Codec<T>) session.codecOf(matched);
  }

  /** Generates a codec when it is first asked for it, and forgets what that has taken. */
  private final class Evolution<T> implements Supplier<Codec<T>> {
    private Supplier<Codec<T>> source; // guarded by the lock

    Evolution(Supplier<Codec<T>> generation) {
      source = generation;
    }

    @Override
    public Codec<T> get() {
      synchronized (lock) {
        Codec<T> codec = source.get();
        source = () -> codec;
        return codec;
      }
    }
  }

  /** One generation, with the codecs that are not finished yet. */
  private final class Session {
    private final Map<Layout.Product, RecordCodec<?>> done = new HashMap<>();
    private final Map<String, RecordCodec.Deferred> open = new HashMap<>();
    private final Map<String, ChoiceCodec> choices = new HashMap<>();
    private final Map<String, EnumIndex> indexes = new HashMap<>();

    RecordCodec<?> codecOf(Layout layout) {
      return switch (layout) {
        case Layout.Product product -> codecOf(product);
        case Layout.Constant constant -> new EnumCodec(indexOf(constant));
        case EvolvedLayout.Skipped skipped -> new UnknownSubtype(skipped.written().text());
        default -> throw new IllegalStateException("no codec: " + layout.text());
      };
    }

    private RecordCodec<?> codecOf(Layout.Product product) {
      RecordCodec<?> codec = finished.get(product.type()).get(product.text());
      if (codec == null) {
        codec = done.get(product);
      }
      if (codec != null) {
        return codec;
      }
      RecordCodec.Deferred deferred = open.get(product.text());
      if (deferred != null) {
        return deferred;
      }
      deferred = new RecordCodec.Deferred();
      open.put(product.text(), deferred);
      CodecClass code = new CodecClass(product, this::constantOf);
      byte[] bytes = code.bytes();
      codec = access.define(product.type(), bytes, code.classData());
      deferred.resolve(codec);
      open.remove(product.text());
      done.put(product, codec);
      return codec;
    }

    /**
     * Generates codecs that only read, one after the other: each refers to those before it, and
     * through {@link RecordCodec.Deferred} to those behind it, which are in a cycle with it.
     */
    void generateAll(List<Layout.Product> products) {
      products.forEach(product -> open.put(product.text(), new RecordCodec.Deferred()));
      for (Layout.Product product : products) {
        CodecClass code = new CodecClass(product, this::constantOf);
        byte[] bytes = code.evolvedBytes();
        RecordCodec<?> codec = access.define(product.type(), bytes, code.classData());
        RecordCodec.Deferred deferred = open.remove(product.text());
        if (deferred != null) {
          deferred.resolve(codec);
        }
        done.put(product, codec);
      }
    }

    /**
     * Keeps the codecs, all complete now, for the next generation; not those of generic records.
     * What their type arguments are is not said by their names, which types of other catalogs and
     * class loaders may have, too; and their classes, kept by that of the record, could not be
     * unloaded before it. A class without type parameters determines all that its codec uses.
     */
    void publish() {
      done.forEach((product, codec) -> {
        if (product.type().getTypeParameters().length == 0) {
          finished.get(product.type()).put(product.text(), codec);
        }
      });
    }

    private Object constantOf(Layout layout) {
      return switch (layout) {
        case Layout.Product product -> codecOf(product);
        case Layout.Choice choice -> choiceOf(choice);
        case Layout.Constant constant -> indexOf(constant);
        default -> throw new IllegalStateException("no constant: " + layout.text());
      };
    }

    private EnumIndex indexOf(Layout.Constant constant) {
      return indexes.computeIfAbsent(constant.text(), text -> constant.index());
    }

    private ChoiceCodec choiceOf(Layout.Choice choice) {
      ChoiceCodec known = choices.get(choice.text());
      if (known != null) {
        return known;
      }
      List<Layout> subtypes = choice.subtypes();
      Class<?>[] types = subtypes.stream().map(Layout::type).toArray(Class<?>[]::new);
      ChoiceCodec codec = new ChoiceCodec(choice.text(), types);
      choices.put(choice.text(), codec);
      for (int i = 0; i < types.length; i++) {
        codec.resolve(i, codecOf(subtypes.get(i)));
      }
      return codec;
    }
  }
}
