package org.ringwire.infiniband.msgrc;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.device.RingRegions;
import org.ringwire.infiniband.device.VerbsCounters;
import org.ringwire.infiniband.device.Waiting;
import org.ringwire.infiniband.link.EngineTransport;
import org.ringwire.infiniband.link.LateClose;
import org.ringwire.infiniband.link.LinkRegister;
import org.ringwire.infiniband.link.LinkTable;
import org.ringwire.infiniband.link.SetUpMedium;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.infiniband.verbs.SendRequests;
import org.ringwire.infiniband.verbs.types.WorkStatus;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.support.TransportLog;
import org.ringwire.transport.support.TransportThreads;

/**
 * Links over InfiniBand or RoCE: each is a reliable connection between two queue pairs, which are
 * set up over TCP. Addresses are those of TCP; that connection lives as long as the link and tells
 * at once when the peer is gone, but no data goes over it.
 *
 * <p>Ownership: the adapter, two threads, and the transport for the set-up. The send thread ends
 * last and closes all of it, or leaves that to {@link LateClose}.
 */
public final class IbTransport extends EngineTransport<IbLink> {

  private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(8);
  private static final long RECEIVER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

  private static final TransportLog LOG = TransportLog.of(IbTransport.class);

  private final TransportConfig config;
  private final Adapter adapter;
  private final LinkTable<IbLink> links = new LinkTable<>();
  private final LinkRegister<IbLink> register;
  private final RequestPool requests;
  private final SendCompletions completions;
  private final SendThread sender;
  private final Receiver receiver;
  private final ReceiveRole receiveRole = new ReceiveRole();
  private final ReceiveThread receiveThread;
  private final Leading leading;
  private final LateClose<IbLink> lateClose;

  private IbTransport(TransportConfig config, Adapter adapter, Transport medium) {
    this.config = config;
    this.adapter = adapter;
    requests = new RequestPool(adapter.arena());
    register =
        new LinkRegister<>(
            config,
            medium,
            (handler, address, remote) -> new IbLink(this, handler, address, remote));
    completions =
        new SendCompletions(
            adapter.sendCompletions(), adapter.budget(), links, register, adapter.arena());
    String name = "ringwire-" + config.nodeId() + "-ib-";
    receiver = new Receiver(this, adapter);
    receiveThread =
        new ReceiveThread(
            this,
            adapter,
            receiver,
            receiveRole,
            name + "receive",
            new Waiting(config.idleStrategy()));
    sender =
        new SendThread(
            this, adapter, completions, name + "send", new Waiting(config.idleStrategy()));
    lateClose =
        new LateClose<>(
            () -> !receiveThread.thread().isAlive(), IbTransport::closeQueuePair, adapter::close);
    leading = new Leading(register, adapter, receiver, receiveRole, receiveThread);
  }

  /** Opens the device and starts the threads. */
  public static IbTransport open(TransportConfig config, IbOptions options) {
    Adapter adapter = new Adapter(options);
    Transport medium = null;
    boolean opened = false;
    try {
      medium = SetUpMedium.open(config);
      IbTransport transport = new IbTransport(config, adapter, medium);
      transport.start();
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

  /** Starts both threads, or none: there may be no memory for the stack of one. */
  private void start() {
    receiveThread.thread().start();
    boolean started = false;
    try {
      sender.thread().start();
      started = true;
    } finally {
      if (!started) {
        receiveThread.shutdown();
        boolean _ = TransportThreads.awaitEnd(receiveThread.thread(), RECEIVER_TIMEOUT_NS);
      }
    }
  }

  @Override
  public void close() {
    register.close();
    sender.thread().shutdown();
    Thread self = Thread.currentThread();
    if (!self.equals(receiveThread.thread()) && !leading.isLeader(self)) {
      sender.thread().awaitEnd(CLOSE_TIMEOUT_NS);
    }
  }

  // The send thread.

  /** No link is left, or waited for any longer. */
  void sendThreadEnded() {
    LOG.log(
        System.Logger.Level.DEBUG,
        "closed: stalls=" + sender.stalls() + " " + verbsCounters(),
        null);
    receiveThread.shutdown();
    boolean _ = TransportThreads.awaitEnd(receiveThread.thread(), RECEIVER_TIMEOUT_NS);
    register.closeMedium();
    lateClose.closeOrBegin(config); // somebody may still be inside
  }

  private static void closeQueuePair(IbLink link) {
    RcQueuePair queuePair = link.queuePair();
    if (queuePair == null) {
      return;
    }
    try {
      queuePair.close();
    } catch (MessagingException e) {
      LOG.log(System.Logger.Level.WARNING, "cannot free what a link has: " + link.remote(), e);
    }
  }

  /** A queue pair is left to who is still inside of its link. */
  void abandon(IbLink link) {
    lateClose.add(link);
  }

  @Override
  protected LinkRegister<IbLink> register() {
    return register;
  }

  @Override
  protected RingRegions rings() {
    return adapter.rings();
  }

  /** Requests of a link that has ended, for the next one. */
  void reuse(SendRequests unused) {
    requests.giveBack(unused);
  }

  // Any thread.

  /** Ends the link that has a queue pair. */
  void failQueuePair(int number, String why) {
    IbLink link = linkOf(number);
    if (link != null) {
      link.life().failBroken(why);
    }
  }

  /** A receive request has failed, or has come back because its link ends. */
  void requestFailed(int number, int status) {
    IbLink link = linkOf(number);
    if (link != null && !(status == WorkStatus.WR_FLUSH_ERR && link.life().isClosing())) {
      link.life().failBroken(WorkStatus.describe(status));
    }
  }

  /** A queue pair takes no more receive requests; the send thread. */
  void lastRequestReached(int number) {
    IbLink link = linkOf(number);
    if (link != null) {
      link.lastRequestReached();
    }
  }

  private @Nullable IbLink linkOf(int number) {
    for (IbLink link : register) {
      Channel channel = link.channel();
      if (channel != null && channel.queuePair().number() == number) {
        return link;
      }
    }
    return null;
  }

  /** The sending half of a queue pair that is connected. */
  Channel channel(RcQueuePair queuePair, int number, Terms peer) {
    int ranges = Math.min(queuePair.maxSendRanges(), adapter.options().sendRanges());
    SendRequests chain = requests.take(SendQueue.chainLength(queuePair), ranges);
    Channel channel = null;
    try {
      channel = channel(queuePair, chain, number, peer);
    } finally {
      if (channel == null) { // there is no heap for it
        requests.giveBack(chain);
      }
    }
    return channel;
  }

  private Channel channel(RcQueuePair queuePair, SendRequests chain, int number, Terms peer) {
    SendQueue queue =
        new SendQueue(
            adapter,
            completions,
            queuePair,
            chain,
            number,
            peer.linkNumber(),
            Math.min(peer.receiveLength(), adapter.longestRequest()),
            Math.max(config.ringCapacity() / 2, 1));
    return new Channel(queuePair, queue);
  }

  /** Whether writing is left to the send thread, by a thread that is not that one. */
  boolean leavesToSendThread() {
    return adapter.options().sendThread() && !sender.thread().isCurrent();
  }

  @Override
  protected VerbsCounters verbsCounters() {
    long posts = 0;
    long posted = 0;
    long ranges = 0;
    long bytes = 0;
    for (SendRequests each : requests.all()) {
      posts += each.posts();
      posted += each.postedRequests();
      ranges += each.postedRanges();
      bytes += each.postedBytes();
    }
    ReceiveQueue queue = adapter.receiveQueue();
    return new VerbsCounters(
        posts,
        posted,
        ranges,
        bytes,
        completions.polled().polls(),
        completions.notifications(),
        queue.posted().posts(),
        queue.received(),
        queue.receivedBytes(),
        receiver.polled().polls(),
        receiver.notifications());
  }

  TransportConfig config() {
    return config;
  }

  int nodeId() {
    return config.nodeId();
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

  Leading leading() {
    return leading;
  }

  /** Tells something when all that has arrived until now was handed over; see {@link Receiver}. */
  void afterInput(Runnable step) {
    receiver.after(step);
    receiveThread.wake();
    leading.wake();
  }

  /** Makes the receive thread go on receiving, if nobody leads. */
  void resumeReceiving() {
    if (receiveRole.isDisarmed()) {
      receiveThread.wakeSurely();
    }
  }
}
