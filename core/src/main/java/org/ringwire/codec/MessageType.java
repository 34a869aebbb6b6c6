package org.ringwire.codec;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
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

  /** Of why a version cannot be read, as parts of it may be the peer's. */
  private static final int MAX_REFUSAL_LENGTH = 2000;

  private final Class<T> type;
  private final String name;
  private final int id;
  private final Codec<T> codec;
  private final Schema schema;
  private final @Nullable Function<Schema, Supplier<Codec<T>>> evolution;

  /** What is known of schemas of peers, the last used last; guarded by itself. */
  private final Map<Schema, Evolved<T>> evolved = new LinkedHashMap<>(4, 0.75f, true);

  /** What yields the codec for a schema, or why there is none. */
  private record Evolved<T>(@Nullable Supplier<Codec<T>> codec, String refusal) {
    Supplier<Codec<T>> orThrow() {
      if (codec == null) {
        throw new IllegalArgumentException(refusal);
      }
      return codec;
    }
  }

  MessageType(
      Class<T> type,
      String name,
      int id,
      Codec<T> codec,
      Schema schema,
      @Nullable Function<Schema, Supplier<Codec<T>>> evolution) {
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

  /** Whether the codec was generated, and not given at registration. */
  boolean isGenerated() {
    return evolution != null;
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
   * <p>Generated on the first call and kept, with those for a few other schemas; so is why there is
   * none. Any thread. Who does not need it yet calls {@link #deferredCodecFor}.
   *
   * @param written the peer's schema, which may be anything
   * @return {@link #codec} if the schemas are equal, else a codec that only reads
   * @throws IllegalArgumentException if what the schema describes cannot be read into this type, or
   *     the codec of this type was written by hand; the message names type and component
   */
  public Codec<T> codecFor(Schema written) {
    return deferredCodecFor(written).get();
  }

  /**
   * Finds out whether there is what {@link #codecFor} returns, which takes little, and leaves it to
   * the first message to have it generated, which takes much more.
   *
   * @param written the peer's schema, which may be anything
   * @return yields what {@link #codecFor} returns, for any thread
   * @throws IllegalArgumentException as {@link #codecFor} does
   */
  public Supplier<Codec<T>> deferredCodecFor(Schema written) {
    if (written.equals(schema)) {
      return () -> codec;
    }
    if (evolution == null) {
      throw new IllegalArgumentException(
          schema.difference(written).orElse(name + ": the schemas differ"));
    }
    synchronized (evolved) {
      Evolved<T> known = evolved.get(written);
      return known != null ? known.orThrow() : evolve(evolution, written);
    }
  }

  /** A peer that is refused comes back all the time: it costs no more than one that is read. */
  private Supplier<Codec<T>> evolve(
      Function<Schema, Supplier<Codec<T>>> evolution, Schema written) {
    try {
      Supplier<Codec<T>> found = evolution.apply(written);
      remember(written, new Evolved<>(found, ""));
      return found;
    } catch (IllegalArgumentException e) {
      String refusal = String.valueOf(e.getMessage());
      int end = Math.min(refusal.length(), MAX_REFUSAL_LENGTH);
      remember(written, new Evolved<>(null, refusal.substring(0, end)));
      throw e;
    }
  }

  /** So many codecs are kept, and so many refusals: neither takes the place of the others. */
  private void remember(Schema written, Evolved<T> known) {
    evolved.put(written, known);
    boolean refused = known.codec == null;
    int count = 0;
    Schema oldest = written;
    for (Map.Entry<Schema, Evolved<T>> each : evolved.entrySet()) {
      if ((each.getValue().codec == null) == refused) {
        oldest = count == 0 ? each.getKey() : oldest;
        count++;
      }
    }
    if (count > MAX_EVOLVED) {
      evolved.remove(oldest);
    }
  }

  /**
   * Whether {@link #deferredCodecFor} has found out before what it would return, or why there is
   * nothing. Any thread.
   *
   * @param written the peer's schema, which may be anything
   * @return false if there would be something to find out, and then maybe a codec to generate
   */
  public boolean hasCodecFor(Schema written) {
    synchronized (evolved) {
      return evolution == null || written.equals(schema) || evolved.containsKey(written);
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
