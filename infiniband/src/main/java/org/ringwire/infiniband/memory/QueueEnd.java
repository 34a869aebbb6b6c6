package org.ringwire.infiniband.memory;

import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.infiniband.verbs.types.Mtu;

/**
 * How an end of a queue pair for one-sided access is reached, as nodes tell each other.
 *
 * @param queuePair its number, 1 to 2^24 - 1
 * @param packetNumber of the first packet that it sends, 0 to 2^24 - 1
 * @param lid local identifier of its port, 0 to 65535; 0 on Ethernet
 * @param gidHigh first half of the global identifier
 * @param gidLow second half
 * @param mtu code of the longest packet
 * @param readAtomic reads and atomics that it has outstanding, or serves, at a time, 1 to 255
 */
public record QueueEnd(
    int queuePair, int packetNumber, int lid, long gidHigh, long gidLow, int mtu, int readAtomic) {

  private static final int MOST_24 = (1 << 24) - 1;

  /** Checks the ranges; so does reading a message. */
  public QueueEnd {
    check("queuePair", queuePair, 1, MOST_24);
    check("packetNumber", packetNumber, 0, MOST_24);
    check("lid", lid, 0, 0xffff);
    check("mtu", mtu, Mtu.MTU_256.code(), Mtu.MTU_4096.code());
    check("readAtomic", readAtomic, 1, 255);
  }

  private static void check(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " must be in " + least + ".." + most + ": " + name + "=" + value);
    }
  }

  Gid gid() {
    return new Gid(gidHigh, gidLow);
  }

  Mtu longestPacket() {
    return Mtu.ofCode(mtu);
  }
}
