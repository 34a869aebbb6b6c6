package org.ringwire.infiniband.device;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.infiniband.verbs.types.GidEntry;
import org.ringwire.infiniband.verbs.types.GidType;
import org.ringwire.infiniband.verbs.types.LinkLayer;

/**
 * Which address of a port is used.
 *
 * @param index in the port's table
 * @param gid there
 */
public record GidChoice(int index, Gid gid) {

  private static final Gid NONE = new Gid(0, 0);

  /**
   * Chooses.
   *
   * @param wanted index, GID or IP address, of which there may be two: the better one; empty for
   *     the best of all
   * @throws MessagingException if there is none; it names those that there are
   */
  public static GidChoice of(List<GidEntry> entries, String wanted, LinkLayer layer) {
    GidEntry best = null;
    for (GidEntry entry : entries) {
      if ((wanted.isEmpty() || isWanted(entry, wanted)) && isBetter(entry, best)) {
        best = entry;
      }
    }
    if (best != null) {
      return new GidChoice(best.index(), best.gid());
    }
    if (wanted.isEmpty() && layer == LinkLayer.INFINIBAND) {
      return new GidChoice(0, NONE);
    }
    if (wanted.isEmpty()) {
      throw new MessagingException(
          "the port has no GID: give its network interface an address (ip addr add)");
    }
    throw new MessagingException(
        "the port has no such GID: "
            + IbOptions.PREFIX
            + "gid="
            + wanted
            + " available="
            + entries.stream().map(entry -> entry.index() + "=" + name(entry)).toList());
  }

  private static boolean isWanted(GidEntry entry, String wanted) {
    if (wanted.chars().allMatch(Character::isDigit)) {
      return wanted.equals(Integer.toString(entry.index()));
    }
    return entry.type() != GidType.UNKNOWN
        && (name(entry).equals(wanted)
            || (wanted.indexOf(':') >= 0 && entry.gid().equals(Gid.parse(wanted))));
  }

  /** The IP address, or the GID if that is none. */
  private static String name(GidEntry entry) {
    Gid gid = entry.gid();
    return gid.isIpv4() ? gid.address().getHostAddress() : gid.toString();
  }

  /**
   * Of RoCE v2 rather than v1, with an IPv4 address rather than without, and with one that routers
   * know rather than one of the link, which each interface has first; else the first.
   */
  private static boolean isBetter(GidEntry entry, @Nullable GidEntry best) {
    return best == null || rank(entry) > rank(best);
  }

  private static int rank(GidEntry entry) {
    if (entry.type() != GidType.ROCE_V2) {
      return 0;
    }
    return entry.gid().isIpv4() ? 3 : entry.gid().isLinkLocal() ? 1 : 2;
  }
}
