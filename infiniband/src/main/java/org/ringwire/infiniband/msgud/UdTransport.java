package org.ringwire.infiniband.msgud;

import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.datagram.ReceiveShare;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.device.RingRegions;
import org.ringwire.infiniband.device.VerbsCounters;
import org.ringwire.infiniband.device.Waiting;
import org.ringwire.infiniband.link.EngineTransport;
import org.ringwire.infiniband.link.LateClose;
import org.ringwire.infiniband.link.LinkRegister;
import org.ringwire.infiniband.link.LinkTable;
import org.ringwire.infiniband.link.SetUpMedium;
import org.ringwire.infiniband.verbs.SendRequests;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.support.TransportLog;

/**
 * Links over datagrams of InfiniBand or RoCE: one queue pair for all of them, and a protocol that
 * makes a reliable stream of what may be lost. They are set up over TCP, as those of {@code msgrc}.
 *
 * <p>Ownership: the adapter, one thread, and the transport for the set-up. The thread ends last and
 * closes all of it.
 */
public final class UdTransport extends EngineTransport<UdLink> {

  private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(8);
  private static final TransportLog LOG = TransportLog.of(UdTransport.class);

  private final TransportConfig config;
  private final UdAdapter adapter;
  private final LinkTable<UdLink> links = new LinkTable<>();
  private final LinkRegister<UdLink> register;
  private final SecureRandom random = new SecureRandom();
  private final int firstWindow;
  private final UdThread thread;
  private final LateClose<UdLink> lateClose;

  private UdTransport(
      TransportConfig config, UdAdapter adapter, Transport medium, DatagramSink.Around around) {
    this.config = config;
    this.adapter = adapter;
    register =
        new LinkRegister<>(
            config,
            medium,
            (handler, address, remote) -> new UdLink(this, handler, address, remote));
    firstWindow = new ReceiveShare(adapter.receiver().count()).window();
    thread =
        new UdThread(
            this,
            "ringwire-" + config.nodeId() + "-ib-datagrams",
            new Waiting(config.idleStrategy()),
            around);
    lateClose = new LateClose<>(() -> true, _ -> {}, adapter::close);
  }

  /**
   * Opens the device and starts the thread.
   *
   * @param around stands between the device and the links
   */
  public static UdTransport open(
      TransportConfig config, IbOptions options, DatagramSink.Around around) {
    UdAdapter adapter = new UdAdapter(options);
    Transport medium = null;
    boolean opened = false;
    try {
      medium = SetUpMedium.open(config);
      UdTransport transport = new UdTransport(config, adapter, medium, around);
      transport.thread.thread().start();
      opened = true;
      return transport;
    } finally {
      if (!opened) {
        if (medium != null) {
          medium.close();
        }
        adapter.close();
      }
    }
  }

  @Override
  public void close() {
    register.close();
    thread.thread().shutdown();
    thread.thread().awaitEnd(CLOSE_TIMEOUT_NS);
  }

  // The thread.

  /** No link is left, or waited for any longer. */
  void threadEnded() {
    LOG.log(
        System.Logger.Level.DEBUG,
        "closed: refused=" + thread.refused() + " " + verbsCounters(),
        null);
    register.closeMedium();
    lateClose.closeOrBegin(config); // somebody may still be inside
  }

  /** The device is left to who is still inside of a link. */
  void abandon(UdLink link) {
    lateClose.add(link);
  }

  @Override
  protected LinkRegister<UdLink> register() {
    return register;
  }

  @Override
  protected RingRegions rings() {
    return adapter.rings();
  }

  @Override
  protected VerbsCounters verbsCounters() {
    SendRequests sends = adapter.sender().requests();
    UdReceiver receiver = adapter.receiver();
    return new VerbsCounters(
        sends.posts(),
        sends.postedRequests(),
        sends.postedRanges(),
        sends.postedBytes(),
        adapter.sender().polled().polls(),
        0,
        receiver.posted().posts(),
        receiver.received(),
        receiver.receivedBytes(),
        thread.polled().polls(),
        thread.notifications());
  }

  /** Ends every link because the device does not do as it must; it reads no memory after that. */
  void failDevice(Throwable failure) {
    try {
      adapter.queuePair().toError();
    } catch (MessagingException e) {
      LOG.log(System.Logger.Level.WARNING, "the queue pair for datagrams does not stop", e);
    }
    register.failAll(failure);
  }

  // Any thread.

  /** What guards a link's datagrams; nobody can guess it. */
  long newToken() {
    return random.nextLong();
  }

  /** Bytes of a link that may not be released; beyond, the medium is full. */
  long mostOutstanding() {
    return Math.max(config.ringCapacity() / 2, 1);
  }

  /** Segments that a peer may have on the way at first. */
  int firstWindow() {
    return firstWindow;
  }

  TransportConfig config() {
    return config;
  }

  int nodeId() {
    return config.nodeId();
  }

  UdAdapter adapter() {
    return adapter;
  }

  LinkTable<UdLink> links() {
    return links;
  }

  UdThread thread() {
    return thread;
  }
}
