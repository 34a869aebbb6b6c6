package org.ringwire.infiniband.connect;

import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.infiniband.verbs.types.Mtu;

/**
 * How one end of a link is reached, and what it takes.
 *
 * @param queuePair number of its queue pair, 1 to 2^24 - 1
 * @param packetNumber of the first packet that it sends, 0 to 2^24 - 1
 * @param lid local identifier of its port, 0 to 65535; 0 on Ethernet
 * @param gid global identifier of its port; zero where there is none
 * @param mtu longest packet of its port
 * @param linkNumber what it calls the link, 0 to 65535: the peer writes that into immediate data,
 *     or into the head of datagrams
 * @param receiveLength bytes that one of its receive requests takes, {@link #SHORTEST_RECEIVE} to
 *     2^30
 * @param nodeId of its node, for people; the handshake on the link decides who it is
 * @param datagrams for the engine {@code msgud}; null for {@code msgrc}
 */
public record Terms(
    int queuePair,
    int packetNumber,
    int lid,
    Gid gid,
    Mtu mtu,
    int linkNumber,
    int receiveLength,
    int nodeId,
    @Nullable DatagramTerms datagrams) {

  /** Bytes that a receive request takes at least. */
  public static final int SHORTEST_RECEIVE = 256;

  private static final int LONGEST_RECEIVE = 1 << 30;
  private static final int MOST_24 = (1 << 24) - 1;
  private static final int MOST_16 = (1 << 16) - 1;

  /** Validates the ranges. */
  public Terms {
    check("queuePair", queuePair, 1, MOST_24);
    check("packetNumber", packetNumber, 0, MOST_24);
    check("lid", lid, 0, MOST_16);
    check("linkNumber", linkNumber, 0, MOST_16);
    check("receiveLength", receiveLength, SHORTEST_RECEIVE, LONGEST_RECEIVE);
  }

  /** Of an end with a reliable queue pair. */
  public Terms(
      int queuePair,
      int packetNumber,
      int lid,
      Gid gid,
      Mtu mtu,
      int linkNumber,
      int receiveLength,
      int nodeId) {
    this(queuePair, packetNumber, lid, gid, mtu, linkNumber, receiveLength, nodeId, null);
  }

  /** Which engine it has. */
  public Engine engine() {
    return datagrams == null ? Engine.MSGRC : Engine.MSGUD;
  }

  static void check(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " must be in " + least + ".." + most + ": " + name + "=" + value);
    }
  }
}
