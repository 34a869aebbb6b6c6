package org.ringwire.engine.inbound;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.TypeAnnouncement;

/**
 * The type ids that a peer uses on a link. Reading thread; {@link #get} also by threads that it has
 * handed a frame of the type to. They come after the type was added, and may find a longer table
 * that was made since: its content is written before.
 *
 * <p>Announcements are exempt from credit, so what they make this side keep has bounds of its own:
 * a number of types, and bytes of names and schemas, a kibibyte per type on average and never less
 * than {@link #LEAST_BYTES}. A peer that goes beyond loses its link. Schemas of types that this
 * side knows are not kept, and do not count. A name stands under one id, so that a link makes this
 * side generate at most one codec for each of its own types.
 */
public final class LinkTypes {

  /** Bytes of names and schemas that every peer may announce: twice what fits into a HELLO. */
  public static final long LEAST_BYTES = 2L << 20;

  private static final int DYNAMIC = 32_768;

  /** Ids of a page as a power of two: of who has a few high ones no more is kept than pages. */
  private static final int PAGE_BITS = 6;

  private static final int PAGE = 1 << PAGE_BITS;
  private static final long BYTES_PER_TYPE = 1 << 10;

  private final int reader;
  private final int lanes;
  private final GenerationBudget generations;
  private final int maxTypes;
  private final long maxBytes;
  private final Set<String> names = new HashSet<>();
  private int count;
  private long bytes;
  private @Nullable LinkType[] @Nullable [] given = new LinkType[1][];
  private @Nullable LinkType[] @Nullable [] dynamic = new LinkType[1][];

  /**
   * None yet.
   *
   * @param reader id of this node
   * @param lanes places of handling, each of which may reuse an instance per type
   * @param maxTypes types that the peer may announce
   * @param generations what the node generates for schemas of peers
   */
  public LinkTypes(int reader, int lanes, int maxTypes, GenerationBudget generations) {
    this.reader = reader;
    this.lanes = lanes;
    this.generations = generations;
    this.maxTypes = maxTypes;
    maxBytes = Math.max(LEAST_BYTES, maxTypes * BYTES_PER_TYPE);
  }

  /**
   * Takes over an announcement; the same one again changes nothing.
   *
   * @throws ProtocolException if the id stands for another type already, or the type for another
   *     id, or if the peer announces more than this side keeps
   */
  public LinkType add(TypeAnnouncement announcement) {
    int id = announcement.id();
    LinkType known = find(id);
    if (known != null) {
      if (!known.isAnnouncedBy(announcement)) {
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
    keep(announcement.keptLength());
    if (!names.add(announcement.name())) {
      throw new ProtocolException(
          Reason.TYPE,
          "type announced under two ids: messageType=" + announcement.name() + " second=" + id);
    }
    LinkType added = new LinkType(announcement, reader, lanes, generations);
    put(id, added);
    return added;
  }

  private void keep(int length) {
    if (bytes + length > maxBytes) {
      bytes = keptBytes(); // some were given back since
    }
    if (count == maxTypes || bytes + length > maxBytes) {
      throw new ProtocolException(
          Reason.LIMIT,
          "too many types announced: count="
              + (count + 1)
              + " maxAnnouncedTypes="
              + maxTypes
              + " bytes="
              + (bytes + length)
              + " limit="
              + maxBytes);
    }
    count++;
    bytes += length;
  }

  private long keptBytes() {
    return Stream.of(given, dynamic)
        .flatMap(Arrays::stream)
        .filter(Objects::nonNull)
        .flatMap(Arrays::stream)
        .filter(Objects::nonNull)
        .mapToLong(LinkType::keptBytes)
        .sum();
  }

  private void put(int id, LinkType type) {
    int index = id & (DYNAMIC - 1);
    int number = index >>> PAGE_BITS;
    if (id < DYNAMIC) {
      given = ensure(given, number);
    } else {
      dynamic = ensure(dynamic, number);
    }
    @Nullable LinkType[] @Nullable [] pages = id < DYNAMIC ? given : dynamic;
    @Nullable LinkType[] page = pages[number];
    if (page == null) {
      page = new LinkType[PAGE];
      pages[number] = page;
    }
    page[index & (PAGE - 1)] = type;
  }

  private static @Nullable LinkType[] @Nullable [] ensure(
      @Nullable LinkType[] @Nullable [] pages, int number) {
    int length = pages.length;
    if (number < length) {
      return pages;
    }
    @Nullable LinkType[] @Nullable [] longer =
        Arrays.copyOf(pages, Math.max(2 * length, number + 1));
    VarHandle.releaseFence(); // the content, before others may find it
    return longer;
  }

  @Nullable LinkType find(int id) {
    @Nullable LinkType[] @Nullable [] pages = id < DYNAMIC ? given : dynamic;
    int index = id & (DYNAMIC - 1);
    int number = index >>> PAGE_BITS;
    @Nullable LinkType[] page = number < pages.length ? pages[number] : null;
    return page == null ? null : page[index & (PAGE - 1)];
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
