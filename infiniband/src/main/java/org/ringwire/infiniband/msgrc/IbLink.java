package org.ringwire.infiniband.msgrc;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.WaitingPlace;
import org.ringwire.infiniband.connect.Engine;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.link.EngineLink;
import org.ringwire.infiniband.link.EngineThread;
import org.ringwire.infiniband.link.LinkLife;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.infiniband.verbs.types.WorkStatus;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundSource;

/**
 * A link over a queue pair, from the attempt on.
 *
 * <p><em>Threads.</em> One thread at a time writes (the engine's role of consumer sees to that).
 * Who receives hands over input. The send thread tells of writability and of the end, and drives
 * the end. Whoever of these two first sees that the way is open opens the {@link LinkLife}: on the
 * opener's side the completion of READY may be overtaken by input, because the peer may send as
 * soon as it has READY. Who is inside of that life may post to the queue pair.
 *
 * <p><em>Full.</em> A writer that finds no room sets {@code blocked}, and then looks for
 * completions once more; who completes looks at {@code blocked} afterwards. Both are volatile, so
 * one sees the other, and who takes {@code blocked} away lets the writer go on.
 */
final class IbLink implements EngineLink {

  /** Interest of the send thread: a writer may perhaps go on. */
  static final int WRITE = 4;

  /** Interest of the send thread: the peer has READY. */
  static final int OPEN = 8;

  private static final VarHandle BLOCKED;

  static {
    try {
      BLOCKED = MethodHandles.lookup().findVarHandle(IbLink.class, "blocked", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final IbTransport transport;
  private final ChannelData data;
  private final LinkLife life;
  private final WaitingPlace place; // leaders only
  private final ReceiveQueue.Sink input; // made once, so that no input allocates
  private final BooleanSupplier closes; // likewise
  private @Nullable RcQueuePair queuePair; // inside of the life, or after it, as the next two
  private int number = -1;
  private @Nullable Terms own;
  private volatile @Nullable Channel channel;
  private volatile boolean broken;

  @SuppressWarnings("unused") // by BLOCKED
  private volatile boolean blocked;

  /**
   * An attempt.
   *
   * @param address that is connected to, or null on the accepting side
   */
  IbLink(IbTransport transport, LinkHandler handler, @Nullable String address, String remote) {
    this.transport = transport;
    data = new ChannelData(transport, this);
    life = new LinkLife(this, data, handler, transport.sender().thread(), address, remote);
    input = life::handOver;
    closes = life::isClosing;
    place = WaitingPlace.of(transport.config().idleStrategy());
  }

  @Override
  public LinkLife life() {
    return life;
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

  /** Whether the queue pair takes no more requests. */
  boolean isBroken() {
    return broken;
  }

  // Any thread.

  @Override
  public boolean write(OutboundSource source) throws IOException {
    try {
      Channel current = channel;
      if (!life.enter() || current == null) {
        throw life.ended();
      }
      SendQueue queue = current.queue();
      if (transport.leavesToSendThread()) {
        return queue.isIdle(source) || leave();
      }
      boolean all = queue.write(source, closes);
      while (!all && !queue.isOver() && !mustWait(queue)) {
        all = queue.write(source, closes);
      }
      return all;
    } catch (IOException e) {
      life.writeFailed(e);
      throw e;
    } finally {
      life.leave();
    }
  }

  /**
   * Leaves the writing to the send thread. Not where there is nothing to write: who looks again and
   * again whether all was taken would never find it so.
   *
   * @return false, as what there is was not taken
   */
  private boolean leave() {
    blocked = true;
    transport.sender().stalled();
    life.signal(WRITE);
    return false;
  }

  /** The writer has found no room; whether it must wait for {@link LinkHandler#writable}. */
  private boolean mustWait(SendQueue queue) {
    if (!queue.lacksShared() && transport.completions().tryPoll() && queue.canGoOn()) {
      return false; // and nobody was woken for it
    }
    blocked = true; // pairs with the reads in resume() and requestEnded()
    transport.sender().stalled();
    if (queue.lacksShared()) {
      transport.sender().thread().starve(this);
    }
    transport.completions().tryPoll();
    return !queue.canGoOn() || !unblock();
  }

  /** Takes {@code blocked} away; returns whether it was there. */
  boolean unblock() {
    boolean taken = blocked && (boolean) BLOCKED.getAndSet(this, false);
    if (taken) {
      transport.sender().resumed();
    }
    return taken;
  }

  @Override
  public boolean lead(BooleanSupplier done, long deadlineNs) {
    try {
      return life.enter()
          && !Thread.currentThread().isVirtual()
          && transport.leading().lead(life, place, done, deadlineNs);
    } finally {
      life.leave();
    }
  }

  /** All of the transport: their completions are in one queue. */
  @Override
  public boolean leadsOthers() {
    return true;
  }

  @Override
  public void wakeLeader() {
    transport.leading().wake();
  }

  @Override
  public void resumeReading() {
    transport.resumeReceiving();
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
      life.failBroken(WorkStatus.describe(status) + " (vendorError=" + vendorError + ")");
    }
    SendQueue queue = current.queue();
    queue.acknowledge(lowBits);
    int interests = 0;
    if (life.isClosing()) {
      interests = EngineThread.CLOSE;
    } else if (!life.isOpened()) {
      interests = OPEN;
    }
    if (blocked && queue.canGoOn()) { // pairs with the write in mustWait()
      interests |= WRITE;
    }
    if (interests != 0) {
      life.signal(interests);
    }
  }

  // The threads that set links up.

  @Override
  public boolean sayReady() throws IOException {
    Channel current = channel;
    return current == null
        || current.queue().postSignal(Immediate.READY); // whose completion opens it, after this
  }

  @Override
  public void peerLost() {
    transport.afterInput(life.tellGone());
  }

  // The send thread.

  @Override
  public void apply(int interests) {
    if ((interests & OPEN) != 0) {
      life.open();
    }
    if ((interests & WRITE) != 0 && !resume()) {
      transport.sender().thread().starve(this);
    }
  }

  /** The queue pair takes no more receive requests. */
  void lastRequestReached() {
    data.lastRequestReached();
  }

  /** Lets a writer that waits go on, if there is room. */
  @Override
  public boolean resume() {
    Channel current = channel;
    if (!blocked || current == null) {
      return true;
    }
    SendQueue queue = current.queue();
    if (!queue.canGoOn()) {
      return !queue.lacksShared();
    }
    if (unblock()) {
      life.writable();
    }
    return true;
  }

  // Who receives: the receive thread, or who leads.

  /** A request has arrived. */
  void received(ReceiveQueue queue, int request, int length, int kind) {
    if (!life.isClosing()) {
      take(queue, request, length);
    }
    if (kind == Immediate.FAREWELL) {
      life.farewell();
    }
  }

  private void take(ReceiveQueue queue, int request, int length) {
    try {
      life.open();
      handOver(queue, request, length);
    } catch (Throwable e) { // it would be missing between what was before it and what follows
      life.fail(e);
    }
  }

  private void handOver(ReceiveQueue queue, int request, int length) {
    try {
      if (life.enter()) {
        queue.handOver(request, length, input);
      }
    } finally {
      life.leave();
    }
  }
}
