package org.ringwire.infiniband.device;

import org.ringwire.MessagingException;
import org.ringwire.infiniband.verbs.Device;
import org.ringwire.infiniband.verbs.types.AsyncEvent;
import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.infiniband.verbs.types.Mtu;
import org.ringwire.infiniband.verbs.types.Path;
import org.ringwire.infiniband.verbs.types.PortAttributes;
import org.ringwire.infiniband.verbs.types.RetryOptions;
import org.ringwire.transport.support.TransportLog;

/**
 * The port of a device that the settings choose, and how packets leave it. Its addresses are those
 * that it has now: a subnet manager gives other identifiers, an interface gets another address, and
 * the device tells of that ({@link #changed}). Any thread.
 */
public final class LocalPort {

  private static final int HOP_LIMIT = 64;

  private static final TransportLog LOG = TransportLog.of(LocalPort.class);

  private final Device device;
  private final IbOptions options;
  private final Mtu first; // buffers may be as long as its packets
  private volatile State state;

  /** What may change. */
  private record State(PortAttributes port, GidChoice choice, int pkeyIndex) {

    static State of(Device device, IbOptions options) {
      PortAttributes port = device.port(options.port());
      GidChoice choice = GidChoice.of(device.gids(options.port()), options.gid(), port.linkLayer());
      int pkey = options.pkey() < 0 ? 0 : device.pkeyIndex(options.port(), options.pkey());
      return new State(port, choice, pkey);
    }
  }

  private LocalPort(Device device, IbOptions options) {
    this.device = device;
    this.options = options;
    state = State.of(device, options);
    first = state.port().activeMtu();
  }

  /** Looks the port up on an open device, with its address and partition. */
  public static LocalPort of(Device device, IbOptions options) {
    return new LocalPort(device, options);
  }

  /**
   * The device tells of a port: what is made from now on has the addresses of then. While it has
   * none of those that the settings ask for, it keeps those of before.
   */
  public void changed(AsyncEvent event) {
    if (event.number() != options.port()) {
      return;
    }
    try {
      state = State.of(device, options);
      LOG.log(
          System.Logger.Level.INFO,
          "port changed: " + event + " " + state.port().state() + " gid=" + gid() + " lid=" + lid(),
          null);
    } catch (MessagingException | IllegalArgumentException e) { // the next event may bring it back
      LOG.log(System.Logger.Level.INFO, "port changed: " + event + ": " + e.getMessage(), null);
    }
  }

  /** Its global identifier. */
  public Gid gid() {
    return state.choice().gid();
  }

  /** Its local identifier. */
  public int lid() {
    return state.port().lid();
  }

  /** Bytes of the longest message, at most 2^31 - 1. */
  public int maxMessageLength() {
    int length = state.port().maxMessageLength();
    return length < 0 ? Integer.MAX_VALUE : length;
  }

  /** The longest packet; never longer than at first. */
  public Mtu mtu() {
    Mtu mtu = Mtu.min(first, state.port().activeMtu());
    return options.mtu() > 0 ? Mtu.min(mtu, Mtu.ofBytes(options.mtu())) : mtu;
  }

  /** How packets of a length leave it. */
  public Path path(Mtu mtu) {
    State current = state;
    return new Path(
        options.port(),
        current.choice().index(),
        mtu,
        options.serviceLevel(),
        options.trafficClass(),
        0,
        HOP_LIMIT,
        current.pkeyIndex(),
        current.port().isGlobal());
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
