package org.ringwire.infiniband.transport;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.datagram.ReceiveShare;
import org.ringwire.infiniband.verbs.SendRequests;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;
import org.ringwire.transport.support.TransportLog;
import org.ringwire.transport.support.TransportThreads;

/**
 * Links over datagrams of InfiniBand or RoCE: one queue pair for all of them, and a protocol that
 * makes a reliable stream of what may be lost. They are set up over TCP as those of {@link
 * IbTransport}.
 *
 * <p>Ownership: the adapter, one thread, and the transport for the set-up. The thread ends last and
 * closes all of it.
 */
final class UdTransport implements Transport {

  private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(8);
  private static final TransportLog LOG = TransportLog.of(UdTransport.class);

  private final TransportConfig config;
  private final UdAdapter adapter;
  private final Transport medium;
  private final LinkTable<UdLink> links = new LinkTable<>();
  private final Set<UdLink> all = ConcurrentHashMap.newKeySet();
  private final SecureRandom random = new SecureRandom();
  private final int firstWindow;
  private final UdThread thread;
  private volatile boolean closed; // written with the lock of this
  private volatile boolean abandoned;

  private UdTransport(
      TransportConfig config, UdAdapter adapter, Transport medium, DatagramSink.Around around) {
    this.config = config;
    this.adapter = adapter;
    this.medium = medium;
    firstWindow = new ReceiveShare(adapter.receiver().count()).window();
    thread =
        new UdThread(
            this,
            "ringwire-" + config.nodeId() + "-ib-datagrams",
            new Waiting(config.idleStrategy()),
            around);
  }

  /**
   * Opens the device and starts the thread.
   *
   * @param setUp makes the transport for the set-up
   * @param around stands between the device and the links
   */
  static UdTransport open(
      TransportConfig config,
      IbOptions options,
      TransportProvider setUp,
      DatagramSink.Around around) {
    UdAdapter adapter = new UdAdapter(options);
    Transport medium = null;
    UdTransport transport = null;
    try {
      medium = setUp.open(IbTransport.forSetUp(config));
      transport = new UdTransport(config, adapter, medium, around);
      transport.thread.thread().start();
    } finally {
      if (transport == null) {
        if (medium != null) {
          medium.close();
        }
        adapter.close();
      }
    }
    return transport;
  }

  @Override
  public String listen(String address, LinkAcceptor acceptor) throws IOException {
    return medium.listen(
        address,
        remote -> {
          LinkHandler handler = acceptor.accept(remote);
          if (handler == null) {
            return null;
          }
          UdLink link = new UdLink(this, handler, null, remote);
          if (!add(link)) {
            handler.closed(new IOException("the transport was closed"));
            return null;
          }
          return link.setUp();
        });
  }

  @Override
  public void connect(String address, LinkHandler handler) {
    UdLink link = new UdLink(this, handler, address, address);
    if (add(link)) {
      medium.connect(address, link.setUp());
    } else {
      handler.closed(
          new IOException("cannot connect: address=" + address + ": the transport was closed"));
    }
  }

  /** Keeps a link until it ended; false if the transport was closed. */
  private boolean add(UdLink link) {
    synchronized (this) {
      if (closed) {
        return false;
      }
      all.add(link);
    }
    thread.signal(link, UdLink.LIMIT);
    return true;
  }

  @Override
  public boolean isLocal(String address) {
    return medium.isLocal(address);
  }

  @Override
  public List<String> localNames(String address) {
    return medium.localNames(address);
  }

  @Override
  public MemorySegment allocateRing(Link link, Arena arena, long capacity) {
    return adapter.rings().allocate(arena, capacity);
  }

  @Override
  public void trim() {
    medium.trim();
  }

  @Override
  public Map<String, Long> counters() {
    return verbsCounters().byName();
  }

  @Override
  public void stopListening() {
    medium.stopListening();
  }

  @Override
  public void close() {
    stopListening();
    synchronized (this) {
      closed = true;
    }
    all.forEach(UdLink::close);
    thread.shutdown();
    TransportThreads.awaitEnd(thread.thread(), CLOSE_TIMEOUT_NS);
  }

  // The thread.

  /** No link is left, or waited for any longer. */
  void threadEnded() {
    LOG.log(
        System.Logger.Level.DEBUG,
        "closed: refused=" + thread.refused() + " " + verbsCounters(),
        null);
    medium.close();
    if (!abandoned) {
      thread.close();
      adapter.close();
    } // else somebody is still inside: what the device has of this transport stays as it is
  }

  /** The device is left to who is still inside of a link. */
  void abandon() {
    abandoned = true;
  }

  /** Forgets a link that ended. */
  void remove(UdLink link) {
    all.remove(link);
  }

  boolean hasNoLinks() {
    return all.isEmpty();
  }

  /** What the verbs were called for since the transport was opened. */
  VerbsCounters verbsCounters() {
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

  /** Ends those that have not ended, in spite of who is inside of them. */
  void forceAll() {
    synchronized (this) {
      closed = true;
    }
    for (UdLink link : all) {
      link.close();
      link.end().force();
    }
  }

  /** Ends every link because the device does not do as it must; it reads no memory after that. */
  void failDevice(Throwable failure) {
    try {
      adapter.queuePair().toError();
    } catch (MessagingException e) {
      LOG.log(System.Logger.Level.WARNING, "the queue pair for datagrams does not stop", e);
    }
    failAll(failure);
  }

  /** Ends every link because of a failure that concerns all. */
  void failAll(Throwable failure) {
    for (UdLink link : all) {
      link.fail(failure);
    }
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

  boolean isClosing() {
    return closed;
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
