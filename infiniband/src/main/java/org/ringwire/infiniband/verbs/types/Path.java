package org.ringwire.infiniband.verbs.types;

/**
 * How packets leave this node.
 *
 * @param port port of the device, from 1
 * @param gidIndex entry of the port's table of addresses that is the sender's
 * @param mtu largest packet
 * @param serviceLevel 0 to 15
 * @param trafficClass 0 to 255; over RoCE v2 the IP header's, upper six bits of which are the DSCP
 * @param flowLabel 0 to 0xfffff
 * @param hopLimit routers that may be passed, 1 to 255
 * @param pkeyIndex entry of the port's table of partitions
 * @param global whether packets carry GIDs: always over Ethernet, and between subnets
 */
public record Path(
    int port,
    int gidIndex,
    Mtu mtu,
    int serviceLevel,
    int trafficClass,
    int flowLabel,
    int hopLimit,
    int pkeyIndex,
    boolean global) {

  /** Checks the ranges. */
  public Path {
    check("port", port, 1, 255);
    check("gidIndex", gidIndex, 0, 255);
    check("serviceLevel", serviceLevel, 0, 15);
    check("trafficClass", trafficClass, 0, 255);
    check("flowLabel", flowLabel, 0, 0xfffff);
    check("hopLimit", hopLimit, 1, 255);
    check("pkeyIndex", pkeyIndex, 0, 0xffff);
  }

  static void check(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " must be from " + min + " to " + max + ": " + name + "=" + value);
    }
  }
}
