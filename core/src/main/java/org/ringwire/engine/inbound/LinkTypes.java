package org.ringwire.engine.inbound;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.TypeAnnouncement;

/** The type ids that a peer uses on a link. Reading thread only. */
public final class LinkTypes {

  private static final int DYNAMIC = 32_768;

  private final int lanes;
  private @Nullable LinkType[] given = new LinkType[16];
  private @Nullable LinkType[] dynamic = new LinkType[16];

  public LinkTypes(int lanes) {
    this.lanes = lanes;
  }

  /**
   * Takes over an announcement; the same one again changes nothing.
   *
   * @throws ProtocolException if the id stands for another type already
   */
  public LinkType add(TypeAnnouncement announcement) {
    int id = announcement.id();
    LinkType known = find(id);
    if (known != null) {
      if (!known.announcement().equals(announcement)) {
        throw new ProtocolException(
            Reason.TYPE,
            "type id announced twice: typeId="
                + id
                + " first="
                + known.name()
                + " second="
                + announcement.name());
      }
      return known;
    }
    LinkType added = new LinkType(announcement, lanes);
    int index = id & (DYNAMIC - 1);
    if (id < DYNAMIC) {
      given = ensure(given, index);
      given[index] = added;
    } else {
      dynamic = ensure(dynamic, index);
      dynamic[index] = added;
    }
    return added;
  }

  private static @Nullable LinkType[] ensure(@Nullable LinkType[] types, int index) {
    int length = types.length;
    return index < length ? types : Arrays.copyOf(types, Math.max(2 * length, index + 1));
  }

  @Nullable LinkType find(int id) {
    @Nullable LinkType[] types = id < DYNAMIC ? given : dynamic;
    int index = id & (DYNAMIC - 1);
    return index < types.length ? types[index] : null;
  }

  /** The type of a frame. */
  public LinkType get(int id) {
    LinkType type = find(id);
    if (type == null) {
      throw new ProtocolException(Reason.TYPE, "frame of a type not announced: typeId=" + id);
    }
    return type;
  }
}
