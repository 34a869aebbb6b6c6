package org.ringwire.infiniband.verbs.types;

/**
 * State of a port.
 *
 * @param port its number, from 1
 * @param state whether it carries data
 * @param maxMtu largest packet that it could carry
 * @param activeMtu largest packet that it does carry
 * @param gidTableLength entries of its table of addresses
 * @param maxMessageLength bytes of the longest message, unsigned
 * @param partitionKeyTableLength entries of its table of partitions
 * @param lid its address in an InfiniBand subnet, 0 over Ethernet
 * @param smLid address of the subnet manager
 * @param smServiceLevel service level of the subnet manager
 * @param linkLayer what it is connected to
 * @param routeRequired whether it sends no packets without a global route, which Ethernet needs
 *     anyway
 * @param physicalState state of the wire, as the specification numbers it (5: link up)
 */
public record PortAttributes(
    int port,
    PortState state,
    Mtu maxMtu,
    Mtu activeMtu,
    int gidTableLength,
    int maxMessageLength,
    int partitionKeyTableLength,
    int lid,
    int smLid,
    int smServiceLevel,
    LinkLayer linkLayer,
    boolean routeRequired,
    int physicalState) {

  /** Whether it carries data. */
  public boolean isActive() {
    return state == PortState.ACTIVE;
  }

  /** Whether packets have a global route. */
  public boolean isGlobal() {
    return routeRequired || linkLayer == LinkLayer.ETHERNET;
  }
}
