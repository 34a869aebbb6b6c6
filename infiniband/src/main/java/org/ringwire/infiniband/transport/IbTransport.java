package org.ringwire.infiniband.transport;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.verbs.RcQueuePair;
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
 * Links over InfiniBand or RoCE: each is a reliable connection between two queue pairs, which are
 * set up over TCP. Addresses are those of TCP; that connection lives as long as the link and tells
 * at once when the peer is gone, but no data goes over it.
 *
 * <p>Ownership: the adapter, two threads, and the transport for the set-up. The send thread ends
 * last and closes all of it.
 */
final class IbTransport implements Transport {

  private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(8);
  private static final long RECEIVER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

  private static final TransportLog LOG = TransportLog.of(IbTransport.class);

  private final TransportConfig config;
  private final Adapter adapter;
  private final Transport medium;
  private final LinkTable<IbLink> links = new LinkTable<>();
  private final Set<IbLink> all = ConcurrentHashMap.newKeySet();
  private final Queue<SendRequests> unused = new ConcurrentLinkedQueue<>();
  private final Queue<SendRequests> made = new ConcurrentLinkedQueue<>();
  private final SendCompletions completions;
  private final SendThread sender;
  private final ReceiveThread receiver;
  private volatile boolean closed; // written with the lock of this
  private volatile boolean abandoned;

  private IbTransport(TransportConfig config, Adapter adapter, Transport medium) {
    this.config = config;
    this.adapter = adapter;
    this.medium = medium;
    completions =
        new SendCompletions(adapter.sendCompletions(), adapter.budget(), links, adapter.arena());
    String name = "ringwire-" + config.nodeId() + "-ib-";
    receiver =
        new ReceiveThread(this, adapter, name + "receive", new Waiting(config.idleStrategy()));
    sender =
        new SendThread(
            this, adapter, completions, name + "send", new Waiting(config.idleStrategy()));
  }

  /**
   * Opens the device and starts the threads.
   *
   * @param setUp makes the transport for the set-up
   */
  static IbTransport open(TransportConfig config, IbOptions options, TransportProvider setUp) {
    Adapter adapter = new Adapter(options);
    Transport medium = null;
    IbTransport transport = null;
    try {
      medium = setUp.open(forSetUp(config));
      transport = new IbTransport(config, adapter, medium);
      transport.receiver.thread().start();
      transport.sender.thread().start();
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

  /** One thread is enough: nothing but the exchange goes over it. */
  static TransportConfig forSetUp(TransportConfig config) {
    return new TransportConfig(
        config.nodeId(),
        1,
        IdleStrategy.parking(),
        config.ringCapacity(),
        config.connectTimeout(),
        config.cluster(),
        config.tls(),
        config.threadStarted());
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
          IbLink link = new IbLink(this, handler, null, remote);
          if (!add(link)) {
            handler.closed(new IOException("the transport was closed"));
            return null;
          }
          return link.setUp();
        });
  }

  @Override
  public void connect(String address, LinkHandler handler) {
    IbLink link = new IbLink(this, handler, address, address);
    if (add(link)) {
      medium.connect(address, link.setUp());
    } else {
      handler.closed(
          new IOException("cannot connect: address=" + address + ": the transport was closed"));
    }
  }

  /** Keeps a link until it ended; false if the transport was closed. */
  private boolean add(IbLink link) {
    synchronized (this) {
      if (closed) {
        return false;
      }
      all.add(link);
    }
    sender.signal(link, IbLink.LIMIT);
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
    all.forEach(IbLink::close);
    sender.shutdown();
    if (!Thread.currentThread().equals(receiver.thread())) {
      TransportThreads.awaitEnd(sender.thread(), CLOSE_TIMEOUT_NS);
    }
  }

  // The send thread.

  /** No link is left, or waited for any longer. */
  void sendThreadEnded() {
    LOG.log(System.Logger.Level.DEBUG, "closed: " + verbsCounters(), null);
    receiver.shutdown();
    boolean receiverEnded = TransportThreads.awaitEnd(receiver.thread(), RECEIVER_TIMEOUT_NS);
    medium.close();
    if (receiverEnded && !abandoned) {
      sender.close();
      receiver.close();
      adapter.close();
    } // else somebody is still inside: what the device has of this transport stays as it is
  }

  /** A queue pair is left to who is still inside of its link. */
  void abandon() {
    abandoned = true;
  }

  /** Forgets a link that ended. */
  void remove(IbLink link) {
    all.remove(link);
  }

  boolean hasNoLinks() {
    return all.isEmpty();
  }

  /** Ends those that have not ended, in spite of who is inside of them. */
  void forceAll() {
    synchronized (this) {
      closed = true;
    }
    for (IbLink link : all) {
      link.close();
      link.end().force();
    }
  }

  /** Requests of a link that has ended, for the next one. */
  void reuse(SendRequests requests) {
    unused.add(requests);
  }

  // Any thread.

  /** Ends every link because of a failure that concerns all. */
  void failAll(Throwable failure) {
    for (IbLink link : all) {
      link.fail(failure);
    }
  }

  /** Ends the link that has a queue pair. */
  void failQueuePair(int number, String why) {
    for (IbLink link : all) {
      Channel channel = link.channel();
      if (channel != null && channel.queuePair().number() == number) {
        link.fail(new IOException("link broken: remote=" + link.remote() + ": " + why));
      }
    }
  }

  /** The sending half of a queue pair that is connected. */
  Channel channel(RcQueuePair queuePair, int number, Terms peer) {
    SendRequests requests = unused.poll();
    if (requests == null) {
      requests = newRequests(queuePair);
    }
    SendQueue queue =
        new SendQueue(
            adapter,
            completions,
            queuePair,
            requests,
            number,
            peer.linkNumber(),
            peer.receiveLength(),
            Math.max(config.ringCapacity() / 2, 1));
    return new Channel(queuePair, queue);
  }

  private SendRequests newRequests(RcQueuePair queuePair) {
    int ranges = Math.min(queuePair.maxSendRanges(), adapter.options().sendRanges());
    SendRequests requests =
        new SendRequests(adapter.arena(), SendQueue.chainLength(queuePair), ranges);
    made.add(requests);
    return requests;
  }

  /** Whether writing is left to the send thread, by a thread that is not that one. */
  boolean leavesToSendThread() {
    return adapter.options().sendThread() && !Thread.currentThread().equals(sender.thread());
  }

  /** What the verbs were called for since the transport was opened. */
  VerbsCounters verbsCounters() {
    return VerbsCounters.of(made, completions, adapter.receiveQueue(), receiver);
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

  Adapter adapter() {
    return adapter;
  }

  CompletionBudget budget() {
    return adapter.budget();
  }

  LinkTable<IbLink> links() {
    return links;
  }

  SendCompletions completions() {
    return completions;
  }

  SendThread sender() {
    return sender;
  }

  ReceiveThread receiver() {
    return receiver;
  }
}
