package org.ringwire.infiniband.msgrc;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.WaitingPlace;
import org.ringwire.infiniband.connect.Engine;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.link.LinkEnd;
import org.ringwire.infiniband.link.LinkParty;
import org.ringwire.infiniband.link.LinkSetUp;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.infiniband.verbs.WorkStatus;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.PeerIdentity;
import org.ringwire.transport.support.Gate;
import org.ringwire.transport.support.Handover;
import org.ringwire.transport.support.InterestQueue;

/**
 * A link over a queue pair, from the attempt on.
 *
 * <p><em>Threads.</em> One thread at a time writes (the engine's role of consumer sees to that).
 * The receive thread hands over input. The send thread tells of writability and of the end, and
 * drives the end ({@link LinkEnd}). Whoever of the receive thread and the send thread first sees
 * that the way is open calls {@link LinkHandler#opened}: on the opener's side the completion of
 * READY may be overtaken by input, because the peer may send as soon as it has READY.
 *
 * <p><em>Closing.</em> A {@link Gate} counts the threads inside of {@link #write} and of the
 * handler. The last one to leave after the close tells the send thread; since nobody enters any
 * more, nothing follows {@link LinkHandler#closed}, and no thread posts to a queue pair that is
 * destroyed.
 *
 * <p><em>Full.</em> A writer that finds no room sets {@code blocked}, and then looks for
 * completions once more; who completes looks at {@code blocked} afterwards. Both are volatile, so
 * one sees the other, and who takes {@code blocked} away lets the writer go on.
 */
final class IbLink extends InterestQueue.Node implements Link, LinkParty {

  /** Interest of the send thread: a writer may perhaps go on. */
  static final int WRITE = 1;

  /** Interest of the send thread: the end may perhaps go on. */
  static final int CLOSE = 2;

  /** Interest of the send thread: the peer has READY. */
  static final int OPEN = 4;

  /** Interest of the send thread: there is a time limit. */
  static final int LIMIT = 8;

  private static final VarHandle CAUSE;
  private static final VarHandle BLOCKED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      CAUSE = lookup.findVarHandle(IbLink.class, "cause", Throwable.class);
      BLOCKED = lookup.findVarHandle(IbLink.class, "blocked", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final IbTransport transport;
  private final LinkHandler handler;
  private final LinkSetUp setUp;
  private final Gate gate = new Gate();
  private final WaitingPlace place; // leaders only
  private final LinkEnd end;
  private final Object opening = new Object();
  private @Nullable RcQueuePair queuePair; // inside of the gate, or after it, as the next two
  private int number = -1;
  private @Nullable Terms own;
  private volatile @Nullable Channel channel;
  private volatile boolean opened;
  private volatile boolean farewellHeard;
  private volatile boolean peerGone;
  private volatile @Nullable Throwable setUpFailure;
  private volatile boolean broken;

  @SuppressWarnings("unused") // by BLOCKED
  private volatile boolean blocked;

  @SuppressWarnings("unused") // by CAUSE
  private volatile @Nullable Throwable cause;

  /** Receives on the receive thread; made once, so that no input allocates. */
  private final ReceiveQueue.Sink input = this::deliver;

  /**
   * An attempt.
   *
   * @param address that is connected to, or null on the accepting side
   */
  IbLink(IbTransport transport, LinkHandler handler, @Nullable String address, String remote) {
    this.transport = transport;
    this.handler = handler;
    setUp = new LinkSetUp(this, address, remote);
    end =
        new LinkEnd(
            this,
            new ChannelData(transport, this),
            transport.register(),
            transport.config().connectTimeout());
    place = WaitingPlace.of(transport.config().idleStrategy());
  }

  /** The handler of the connection over TCP beside this link. */
  @Override
  public LinkSetUp setUp() {
    return setUp;
  }

  @Override
  public LinkEnd end() {
    return end;
  }

  @Override
  public Engine engine() {
    return Engine.MSGRC;
  }

  @Override
  public Terms create() {
    number = transport.links().addSurely(this);
    RcQueuePair created = transport.adapter().createQueuePair();
    queuePair = created;
    int packetNumber = ThreadLocalRandom.current().nextInt(1 << 24);
    Terms terms = transport.adapter().terms(created, packetNumber, number, transport.nodeId());
    own = terms;
    return terms;
  }

  @Override
  public void connect(Terms peer) {
    RcQueuePair created = Objects.requireNonNull(queuePair, "queue pair");
    transport.adapter().connect(created, Objects.requireNonNull(own, "own terms"), peer);
    channel = transport.channel(created, number, peer); // what comes from now on is for it
  }

  /** The queue pair that was made, perhaps for nothing; when nobody is inside. */
  @Nullable RcQueuePair queuePair() {
    return queuePair;
  }

  /** The number of the link, or -1; when nobody is inside. */
  int number() {
    return number;
  }

  /** The queue pair, from its creation on. */
  @Nullable Channel channel() {
    return channel;
  }

  @Override
  public boolean enter() {
    return gate.enter();
  }

  // Any thread.

  @Override
  public boolean write(OutboundSource source) throws IOException {
    try {
      Channel current = channel;
      if (!gate.enter() || current == null) {
        throw ended();
      }
      if (transport.leavesToSendThread()) {
        blocked = true;
        transport.sender().stalled();
        transport.sender().signal(this, WRITE);
        return false;
      }
      SendQueue queue = current.queue();
      boolean all = queue.write(source);
      while (!all && !mustWait(queue)) {
        all = queue.write(source);
      }
      return all;
    } catch (IOException e) {
      if (!gate.isClosing()) {
        fail(e);
      }
      throw e;
    } finally {
      leave();
    }
  }

  /** Says why, if it has failed. */
  private IOException ended() {
    Throwable failure = cause;
    return failure == null
        ? new ClosedChannelException()
        : new IOException(failure.getMessage(), failure);
  }

  /** The writer has found no room; whether it must wait for {@link LinkHandler#writable}. */
  private boolean mustWait(SendQueue queue) {
    blocked = true; // pairs with the reads in goOn() and requestEnded()
    transport.sender().stalled();
    if (queue.lacksShared()) {
      transport.sender().starve(this);
    }
    transport.completions().tryPoll();
    return !queue.canGoOn() || !unblock();
  }

  private boolean unblock() {
    boolean taken = blocked && (boolean) BLOCKED.getAndSet(this, false);
    if (taken) {
      transport.sender().resumed();
    }
    return taken;
  }

  @Override
  public boolean lead(BooleanSupplier done, long deadlineNs) {
    try {
      return gate.enter()
          && !Thread.currentThread().isVirtual()
          && transport.leading().lead(this, place, done, deadlineNs);
    } finally {
      leave();
    }
  }

  @Override
  public void wakeLeader() {
    transport.leading().wake();
  }

  @Override
  public void resumeReading() {
    transport.resumeReceiving();
  }

  @Override
  public void close() {
    if (gate.close()) {
      transport.sender().signal(this, CLOSE);
    } else {
      transport.leading().wake();
    }
  }

  @Override
  public void leave() {
    if (gate.leave()) {
      transport.sender().signal(this, CLOSE);
    }
  }

  /** Closes because of a failure; the first one is the cause. */
  @Override
  public void fail(Throwable failure) {
    CAUSE.compareAndSet(this, null, failure); // pairs with the read in tellEnd()
    close();
  }

  @Override
  public String remote() {
    return setUp.remote();
  }

  @Override
  public @Nullable PeerIdentity peer() {
    return setUp.peer();
  }

  // Who polls for completions of requests, one thread at a time.

  /** A request was completed, or has failed. */
  void requestEnded(int lowBits, int status, int vendorError) {
    Channel current = channel;
    if (current == null) {
      return;
    }
    if (status != WorkStatus.SUCCESS && !broken) {
      broken = true;
      fail(broken(status, vendorError));
    }
    SendQueue queue = current.queue();
    queue.acknowledge(lowBits);
    int interests = 0;
    if (gate.isClosing()) {
      interests = CLOSE;
    } else if (!opened) {
      interests = OPEN;
    }
    if (blocked && queue.canGoOn()) { // pairs with the write in mustWait()
      interests |= WRITE;
    }
    if (interests != 0) {
      transport.sender().signal(this, interests);
    }
  }

  private IOException broken(int status, int vendorError) {
    return new IOException(
        "link broken: remote="
            + remote()
            + ": "
            + WorkStatus.describe(status)
            + " (vendorError="
            + vendorError
            + ")");
  }

  // The thread of the connection over TCP.

  /** Tells the peer that this end is ready; its completion opens the link, after this. */
  @Override
  public void sayReady() throws IOException {
    Channel current = channel;
    synchronized (opening) {
      if (current != null) {
        current.queue().postSignal(Immediate.READY);
      }
    }
  }

  @Override
  public void setUpEnded(@Nullable Throwable failure) {
    peerGone = true;
    if (gate.isClosing()) {
      transport.sender().signal(this, CLOSE); // nobody to wait for any more
    } else if (channel != null) { // what came before may open it, and tell of an orderly end
      setUpFailure = failure;
      transport.check(this);
    } else {
      fail(failure != null ? failure : new IOException("the peer has closed the connection"));
    }
  }

  // The send thread.

  /** Lets a writer that waits go on, if there is room. */
  void goOn() {
    Channel current = channel;
    if (!blocked || current == null) {
      return;
    }
    SendQueue queue = current.queue();
    if (!queue.canGoOn()) {
      if (queue.lacksShared()) {
        transport.sender().starve(this);
      }
      return;
    }
    if (!unblock()) {
      return;
    }
    try {
      if (gate.enter()) {
        handler.writable();
      }
    } catch (Throwable e) {
      fail(e);
    } finally {
      leave();
    }
  }

  @Override
  public boolean isClosed() {
    return gate.isClosed();
  }

  @Override
  public boolean isClosing() {
    return gate.isClosing();
  }

  @Override
  public boolean isOpened() {
    return opened;
  }

  @Override
  public boolean endsAbruptly() {
    return !opened || broken || peerGone || farewellHeard;
  }

  @Override
  public void tellEnd() {
    unblock();
    Throwable failure = cause;
    if (!opened) {
      failure = setUp.describe(failure == null ? new IOException("it was closed") : failure);
    }
    handler.closed(failure);
  }

  // The send thread, or who receives.

  /** The peer's end is ready, too: the link is usable, once this has returned. */
  void open() {
    if (opened) {
      return;
    }
    try {
      synchronized (opening) {
        if (gate.enter() && !opened) {
          try {
            handler.opened(this);
          } finally {
            opened = true; // after that: the other thread goes on with input
          }
        }
      }
    } catch (Throwable e) {
      fail(e);
    } finally {
      leave();
    }
  }

  // Who receives: the receive thread, or who leads.

  /** A request has arrived. */
  void received(ReceiveQueue queue, int request, int length, int kind) {
    if (gate.isClosing()) {
      noteFarewell(kind);
      return;
    }
    open();
    try {
      if (gate.enter()) {
        queue.handOver(request, length, input);
      }
    } catch (Throwable e) {
      fail(e);
    } finally {
      leave();
    }
    noteFarewell(kind);
  }

  private void noteFarewell(int kind) {
    if (kind == Immediate.FAREWELL) {
      farewellHeard = true;
      close();
      transport.sender().signal(this, CLOSE); // it may end already, and waits for nothing now
    }
  }

  private void deliver(MemorySegment memory, long offset, long length) {
    if (!gate.isClosing()) {
      Handover.deliver(handler, memory, offset, length);
    }
  }

  /** The peer is gone, and all that it had sent was handed over. */
  void gone() {
    if (!gate.isClosing()) {
      Throwable failure = setUpFailure;
      fail(
          opened || failure == null
              ? new IOException("link broken: remote=" + remote() + ": the peer is gone")
              : failure);
    }
  }
}
