package org.ringwire.engine.inbound;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.MessageType;
import org.ringwire.codec.Reader;
import org.ringwire.codec.ReusingCodec;
import org.ringwire.codec.Schema;
import org.ringwire.codec.runtime.RecordCodec;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.TypeAnnouncement;

/**
 * A type that a peer has announced on a link, and what this side knows of it. Found by the reading
 * thread and handed with each message to the thread that handles it; what is resolved later is
 * published by volatile writes. The peer's name for a type never loads a class: it is looked up
 * among the types that this side has registered.
 *
 * <p>If the peer's schema of the type is another one, messages are decoded by a codec that is
 * generated for it, once, by the thread that decodes the first of them: where hundreds of types
 * differ, as while a cluster is upgraded, the link opens at once, and what is never sent costs
 * nothing. Whether that is possible is found out before. If it is not, the peer is refused where
 * this side handles the type, and a response of the type fails its request. A type that this side
 * only sends does no harm: the peer announces it, and never uses it here.
 */
public final class LinkType {

  private static final int MAX_REASON_LENGTH = 1000;

  /** What a component of a generated codec is called in schemas that is a view of the message. */
  private static final String VIEW = MemorySegment.class.getSimpleName();

  private volatile TypeAnnouncement announcement;
  private volatile @Nullable Codec<?> codec;
  private volatile @Nullable Supplier<? extends Codec<?>> deferred; // yields the codec
  private volatile @Nullable String refusal;
  private volatile @Nullable MessageType<?> type;
  private volatile @Nullable Registration registration;
  private volatile boolean mayHoldViews = true;
  private boolean unhandledTold; // the reading thread's
  private final int reader;
  private final int lanes;

  /** By lane; made when a codec reuses instances, as most do not, and a lane may be one of many. */
  private volatile @Nullable Object @Nullable [] reused;

  private final GenerationBudget generations;

  LinkType(TypeAnnouncement announcement, int reader, int lanes, GenerationBudget generations) {
    this.announcement = announcement;
    this.reader = reader;
    this.lanes = lanes;
    this.generations = generations;
  }

  public String name() {
    return announcement.name();
  }

  /** Whether an announcement under the same id says the same; the schema follows from the rest. */
  boolean isAnnouncedBy(TypeAnnouncement other) {
    return announcement.fingerprint() == other.fingerprint() && name().equals(other.name());
  }

  /** The local type, or null if this side knows none by that name. */
  public @Nullable MessageType<?> resolve(MessageCatalog catalog) {
    MessageType<?> known = type;
    return known != null ? known : find(catalog);
  }

  private synchronized @Nullable MessageType<?> find(MessageCatalog catalog) {
    MessageType<?> known = type;
    if (known == null) {
      known = catalog.byName(announcement.name());
      if (known != null) {
        prepare(known);
        mayHoldViews =
            !(known.codec() instanceof RecordCodec<?>) || known.schema().toString().contains(VIEW);
        type = known; // after what decoding takes, which is read by who has found the type
        forgetSchema();
      }
    }
    return known;
  }

  /** Bytes of the name, and of the schema as long as that is kept. */
  int keptBytes() {
    return announcement.keptLength();
  }

  /** Gives memory back; what a peer announces without need is not kept. */
  void forgetSchema() {
    announcement = announcement.withoutSchema();
  }

  /**
   * Who handles messages of this type, or null if nobody does yet.
   *
   * @throws ProtocolException if somebody does, and what the peer writes cannot be read into the
   *     type of this side
   */
  public @Nullable Registration registration(MessageCatalog catalog, Registrations registrations) {
    Registration known = registration;
    if (known == null) {
      MessageType<?> local = resolve(catalog);
      known = local == null ? null : registrations.find(local);
      String reason = refusal;
      if (known != null && reason != null) {
        throw new ProtocolException(Reason.SCHEMA, reason);
      }
      registration = known;
    }
    return known;
  }

  /**
   * Whether a message may be of use only as long as the memory is kept that it was decoded from:
   * what codecs written by hand do with that is not known, and generated ones take nothing along
   * but views. Any thread that handles one.
   */
  public boolean mayHoldViews() {
    return mayHoldViews;
  }

  /** Reading thread: a message has come that nobody handles; whether it is the first. */
  public boolean isUnhandledFirst() {
    boolean first = !unhandledTold;
    unhandledTold = true;
    return first;
  }

  /** Finds the codec for what the peer writes, or why there is none. */
  private void prepare(MessageType<?> known) {
    if (known.fingerprint() == announcement.fingerprint()) {
      codec = known.codec();
      return;
    }
    String reason;
    try {
      Schema written = Schema.parse(announcement.schema());
      if (written.fingerprint() == announcement.fingerprint()) {
        checkBudget(known, written);
        deferred = known.deferredCodecFor(written);
        return;
      }
      reason = "the peer's schema is not that of its fingerprint";
    } catch (ProtocolException e) {
      if (e.reason() == Reason.LIMIT) {
        throw e; // nothing is wrong with the schema: the peer may come back with it
      }
      reason = String.valueOf(e.getMessage());
    } catch (RuntimeException e) { // a schema is what a peer makes of it
      boolean told = announcement.schemaLength() > 0;
      reason = told ? String.valueOf(e.getMessage()) : "the peer did not tell its components";
    }
    int end = Math.min(reason.length(), MAX_REASON_LENGTH); // parts of it may be the peer's
    refusal = // both sides are told, so it says which of them is the reader
        "schemas differ: messageType="
            + name()
            + " reader="
            + reader
            + ": "
            + reason.substring(0, end)
            + "; the versions of the type do not fit, whoever reads it is upgraded first, here node "
            + reader
            + ": docs/encoding.md#two-versions-of-a-type";
  }

  private void checkBudget(MessageType<?> known, Schema written) {
    int ownLength = known.schema().toString().length();
    int cost = GenerationBudget.costOf(announcement.schemaLength(), ownLength);
    if (!known.hasCodecFor(written) && !generations.tryTake(System.nanoTime(), cost)) {
      throw new ProtocolException(
          Reason.LIMIT,
          "too many new schemas: this node generates codecs for a few per second only, come back"
              + " later: messageType="
              + name());
    }
  }

  /**
   * Decodes a body of a type that was resolved; reuses the lane's instance where the codec can.
   * Lane -1 never reuses.
   *
   * @throws MessagingException if what the peer writes cannot be read here
   */
  public Object decode(Reader reader, int lane) {
    Codec<?> known = codec;
    if (known == null) {
      known = generate();
    }
    if (lane < 0 || !(known instanceof ReusingCodec<?>)) {
      return Objects.requireNonNull(known.decode(reader), "decode() returned null");
    }
    @SuppressWarnings("unchecked") // the instance was made by the same codec
    ReusingCodec<Object> reusing = (ReusingCodec<Object>) known;
    @Nullable Object[] own = reused;
    own = own == null ? makeReused() : own;
    Object target = own[lane]; // which one thread at a time uses
    if (target == null) {
      target = reusing.create();
      own[lane] = target;
    }
    reusing.decodeInto(reader, target);
    return target;
  }

  private synchronized @Nullable Object[] makeReused() {
    @Nullable Object[] made = reused;
    if (made == null) {
      made = new Object[lanes];
      reused = made;
    }
    return made;
  }

  /** Any thread that handles messages of the type; those that come together wait for one. */
  private Codec<?> generate() {
    Supplier<? extends Codec<?>> known = deferred;
    if (known == null) {
      throw new MessagingException(String.valueOf(refusal));
    }
    Codec<?> made = known.get();
    codec = made;
    return made;
  }
}
