package org.ringwire.engine.inbound;

import org.jspecify.annotations.Nullable;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.MessageType;
import org.ringwire.codec.Reader;
import org.ringwire.codec.ReusingCodec;
import org.ringwire.codec.Schema;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.TypeAnnouncement;

/**
 * A type that a peer has announced on a link, and what this side knows of it. Found by the reading
 * thread and handed with each message to the thread that handles it; what is resolved later is
 * published by volatile writes. The peer's name for a type never loads a class: it is looked up
 * among the types that this side has registered.
 */
public final class LinkType {

  private final TypeAnnouncement announcement;
  private volatile @Nullable MessageType<?> type;
  private volatile @Nullable Registration registration;
  private final @Nullable Object[] reused;

  public LinkType(TypeAnnouncement announcement, int lanes) {
    this.announcement = announcement;
    reused = new Object[lanes];
  }

  public String name() {
    return announcement.name();
  }

  public TypeAnnouncement announcement() {
    return announcement;
  }

  /**
   * The local type, or null if this side knows none by that name.
   *
   * @throws ProtocolException if both sides know the name and disagree about the encoding
   */
  public @Nullable MessageType<?> resolve(MessageCatalog catalog) {
    MessageType<?> known = type;
    if (known == null) {
      known = catalog.byName(announcement.name());
      if (known != null) {
        check(known);
        type = known;
      }
    }
    return known;
  }

  public @Nullable Registration registration(MessageCatalog catalog, Registrations registrations) {
    Registration known = registration;
    if (known == null) {
      MessageType<?> local = resolve(catalog);
      known = local == null ? null : registrations.find(local);
      registration = known;
    }
    return known;
  }

  private void check(MessageType<?> known) {
    if (known.fingerprint() != announcement.fingerprint()) {
      throw new ProtocolException(
          Reason.SCHEMA,
          "schemas differ: messageType=" + announcement.name() + ": " + difference(known));
    }
  }

  private String difference(MessageType<?> known) {
    if (announcement.schema().length == 0) {
      return "the peer did not tell its components";
    }
    return known
        .schema()
        .difference(Schema.parse(announcement.schema()))
        .orElse("the fingerprints differ");
  }

  /** Decodes a body; reuses the lane's instance where the codec can. Lane -1 never reuses. */
  public Object decode(Reader reader, int lane) {
    MessageType<?> known = type;
    if (known == null) {
      throw new IllegalStateException("unresolved messageType=" + announcement.name());
    }
    Codec<?> codec = known.codec();
    if (lane >= 0 && codec instanceof ReusingCodec<?> reusing) {
      return decodeInto(reusing, reader, lane);
    }
    return codec.decode(reader);
  }

  @SuppressWarnings("unchecked") // the instance was made by the same codec
  private <T> Object decodeInto(ReusingCodec<T> codec, Reader reader, int lane) {
    T target = (T) reused[lane];
    if (target == null) {
      target = codec.create();
      reused[lane] = target;
    }
    codec.decodeInto(reader, target);
    return target;
  }
}
