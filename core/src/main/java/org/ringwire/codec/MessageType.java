package org.ringwire.codec;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A message type as one catalog knows it. Immutable, and the same object for every use of the type
 * in that catalog.
 *
 * @param <T> the class of the messages
 */
public final class MessageType<T> {
  /** Versions of a type at peers that are remembered; more are generated again when they return. */
  private static final int MAX_EVOLVED = 8;

  private final Class<T> type;
  private final String name;
  private final int id;
  private final Codec<T> codec;
  private final Schema schema;
  private final @Nullable Function<Schema, Codec<T>> evolution;

  /** Codecs for schemas of peers, the last used last; guarded by itself. */
  private final Map<Schema, Codec<T>> evolved = new LinkedHashMap<>(4, 0.75f, true);

  MessageType(
      Class<T> type,
      String name,
      int id,
      Codec<T> codec,
      Schema schema,
      @Nullable Function<Schema, Codec<T>> evolution) {
    this.type = type;
    this.name = name;
    this.id = id;
    this.codec = codec;
    this.schema = schema;
    this.evolution = evolution;
  }

  /**
   * The class that was registered, or for which a codec was generated.
   *
   * @return the class, or a supertype of the class of a message
   */
  public Class<T> type() {
    return type;
  }

  /**
   * The name that peers know it by: that of {@link Message#name}, or else that of the class.
   *
   * @return a name without white space
   */
  public String name() {
    return name;
  }

  /**
   * The id that this node puts into frames.
   *
   * @return 0 to 32767 if it was given, 32768 to 65535 if this catalog assigned it
   */
  public int id() {
    return id;
  }

  /**
   * Whether the id was given by {@link Message#id} or at registration, not assigned.
   *
   * @return true for ids that the program has chosen; other nodes may use others for the type
   */
  public boolean hasGivenId() {
    return id <= MessageCatalog.MAX_GIVEN_ID;
  }

  /**
   * What turns the messages into bytes and back.
   *
   * @return the codec, shared by all threads
   */
  public Codec<T> codec() {
    return codec;
  }

  /**
   * What the bytes mean.
   *
   * @return the schema that is compared with the peer's
   */
  public Schema schema() {
    return schema;
  }

  /**
   * A codec that reads what a peer writes whose version of this type has another schema: components
   * are matched by name, one that the peer does not have gets its default (see {@link Default}),
   * one that is not known here is skipped, numbers become wider. It cannot write.
   *
   * <p>Generated on the first call and kept, with those for a few other schemas. Any thread.
   *
   * @param written the peer's schema, which may be anything
   * @return {@link #codec} if the schemas are equal, else a codec that only reads
   * @throws IllegalArgumentException if what the schema describes cannot be read into this type, or
   *     the codec of this type was written by hand; the message names type and component
   */
  public Codec<T> codecFor(Schema written) {
    if (written.equals(schema)) {
      return codec;
    }
    if (evolution == null) {
      throw new IllegalArgumentException(
          schema.difference(written).orElse(name + ": the schemas differ"));
    }
    synchronized (evolved) {
      Codec<T> known = evolved.get(written);
      if (known == null) {
        known = evolution.apply(written);
        evolved.put(written, known);
        if (evolved.size() > MAX_EVOLVED) {
          evolved.remove(evolved.keySet().iterator().next());
        }
      }
      return known;
    }
  }

  /**
   * Whether {@link #codecFor} has what it would return, and need not generate it. Any thread.
   *
   * @param written the peer's schema, which may be anything
   * @return false if it would generate a codec, or refuse the schema
   */
  public boolean hasCodecFor(Schema written) {
    synchronized (evolved) {
      return written.equals(schema) || evolved.containsKey(written);
    }
  }

  /**
   * Short for {@code schema().fingerprint()}.
   *
   * @return any value
   */
  public long fingerprint() {
    return schema.fingerprint();
  }

  @Override
  public String toString() {
    return name + "(id=" + id + ")";
  }
}
