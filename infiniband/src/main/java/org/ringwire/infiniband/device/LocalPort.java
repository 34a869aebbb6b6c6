package org.ringwire.infiniband.device;

import org.ringwire.infiniband.verbs.Device;
import org.ringwire.infiniband.verbs.Gid;
import org.ringwire.infiniband.verbs.LinkLayer;
import org.ringwire.infiniband.verbs.Mtu;
import org.ringwire.infiniband.verbs.Path;
import org.ringwire.infiniband.verbs.PortAttributes;
import org.ringwire.infiniband.verbs.RetryOptions;

/** The port of a device that the settings choose, and how packets leave it. Any thread. */
public final class LocalPort {

  private static final int HOP_LIMIT = 64;

  private final IbOptions options;
  private final PortAttributes port;
  private final GidChoice choice;
  private final int pkeyIndex;

  private LocalPort(IbOptions options, PortAttributes port, GidChoice choice, int pkeyIndex) {
    this.options = options;
    this.port = port;
    this.choice = choice;
    this.pkeyIndex = pkeyIndex;
  }

  /** Looks the port up on an open device, with its address and partition. */
  public static LocalPort of(Device device, IbOptions options) {
    PortAttributes port = device.port(options.port());
    GidChoice choice = GidChoice.of(device.gids(options.port()), options.gid(), port.linkLayer());
    int pkey = options.pkey() < 0 ? 0 : device.pkeyIndex(options.port(), options.pkey());
    return new LocalPort(options, port, choice, pkey);
  }

  /** Its global identifier. */
  public Gid gid() {
    return choice.gid();
  }

  /** Its local identifier. */
  public int lid() {
    return port.lid();
  }

  /** Bytes of the longest message, at most 2^31 - 1. */
  public int maxMessageLength() {
    return port.maxMessageLength() < 0 ? Integer.MAX_VALUE : port.maxMessageLength();
  }

  /** The longest packet. */
  public Mtu mtu() {
    Mtu mtu = port.activeMtu();
    return options.mtu() > 0 ? Mtu.min(mtu, Mtu.ofBytes(options.mtu())) : mtu;
  }

  /** How packets of a length leave it. */
  public Path path(Mtu mtu) {
    return new Path(
        options.port(),
        choice.index(),
        mtu,
        options.serviceLevel(),
        options.trafficClass(),
        0,
        HOP_LIMIT,
        pkeyIndex,
        port.linkLayer() == LinkLayer.ETHERNET);
  }

  /**
   * How long and how often a queue pair tries.
   *
   * @param readAtomic reads and atomics outstanding, in each direction
   */
  public RetryOptions retry(int readAtomic) {
    return new RetryOptions(
        options.timeout(),
        options.retries(),
        options.rnrRetries(),
        options.minRnrTimer(),
        readAtomic,
        readAtomic);
  }
}
