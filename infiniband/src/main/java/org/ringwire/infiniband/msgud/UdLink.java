package org.ringwire.infiniband.msgud;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.connect.DatagramTerms;
import org.ringwire.infiniband.connect.Engine;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.datagram.Datagram;
import org.ringwire.infiniband.datagram.TimerWheel;
import org.ringwire.infiniband.link.LinkEnd;
import org.ringwire.infiniband.link.LinkParty;
import org.ringwire.infiniband.link.LinkSetUp;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.PeerIdentity;
import org.ringwire.transport.support.Gate;
import org.ringwire.transport.support.Handover;
import org.ringwire.transport.support.InterestQueue;

/**
 * A link over datagrams, from the attempt on.
 *
 * <p><em>Threads.</em> One thread at a time writes (the engine's role of consumer sees to that);
 * everything else, and all calls of the handler, is the {@link UdThread}'s. What both use is the
 * {@link UdStream}, guarded by itself.
 *
 * <p><em>Closing.</em> A {@link Gate} counts the threads inside of {@link #write} and of the
 * handler. The last one to leave after the close tells the thread, which drives the end ({@link
 * LinkEnd}). Until it is over the protocol goes on, so that what was written, and what the peer
 * has, is acknowledged; but nothing is handed over any more.
 */
final class UdLink extends InterestQueue.Node implements Link, LinkParty {

  /** Interest of the thread: a segment is on its way, so there is a time limit. */
  static final int TIMER = 1;

  /** Interest of the thread: the end may perhaps go on. */
  static final int CLOSE = 2;

  /** Interest of the thread: the attempt has a time limit. */
  static final int LIMIT = 4;

  private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(30);
  private static final VarHandle CAUSE;

  static {
    try {
      CAUSE = MethodHandles.lookup().findVarHandle(UdLink.class, "cause", Throwable.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final UdTransport transport;
  private final LinkHandler handler;
  private final LinkSetUp setUp;
  private final boolean opener;
  private final Gate gate = new Gate();
  private final LinkEnd end;
  private final TimerWheel.Entry<UdLink> timer = new TimerWheel.Entry<>(this); // the thread only
  private int number = -1; // inside of the gate, or after it, as the next
  private long token;
  private volatile @Nullable UdStream stream;
  private volatile boolean opened;
  private volatile boolean peerGone;
  private volatile @Nullable Throwable setUpFailure;
  private boolean farewellHeard; // the thread only, as the next two
  private boolean touched;
  private long share;

  @SuppressWarnings("unused") // by CAUSE
  private volatile @Nullable Throwable cause;

  /**
   * An attempt.
   *
   * @param address that is connected to, or null on the accepting side
   */
  UdLink(UdTransport transport, LinkHandler handler, @Nullable String address, String remote) {
    this.transport = transport;
    this.handler = handler;
    opener = address != null;
    setUp = new LinkSetUp(this, address, remote);
    end =
        new LinkEnd(
            this,
            new StreamData(transport, this),
            transport.register(),
            transport.config().connectTimeout());
  }

  /** The handler of the connection over TCP beside this link. */
  @Override
  public LinkSetUp setUp() {
    return setUp;
  }

  // The thread of the connection over TCP.

  @Override
  public Engine engine() {
    return Engine.MSGUD;
  }

  @Override
  public Terms create() {
    String failure = transport.adapter().sender().failure();
    if (failure != null) {
      throw new MessagingException("the queue pair for datagrams has failed: " + failure);
    }
    token = transport.newToken(); // before anybody can find it
    number = transport.links().addSurely(this);
    return transport.adapter().terms(number, transport.nodeId(), token);
  }

  @Override
  public void connect(Terms peer) {
    DatagramTerms datagrams = Objects.requireNonNull(peer.datagrams(), "terms of datagrams");
    stream = new UdStream(transport, peer, datagrams);
  }

  @Override
  public void sayReady() throws IOException {
    UdStream current = stream;
    if (current != null && !current.sendSignal(Datagram.READY)) {
      throw new IOException("no room for a signal");
    }
    transport.thread().signal(this, TIMER);
  }

  @Override
  public void setUpEnded(@Nullable Throwable failure) {
    peerGone = true;
    if (gate.isClosing()) {
      transport.thread().signal(this, CLOSE); // nobody to wait for any more
    } else if (stream != null) { // what came before may open it, and tell of an orderly end
      setUpFailure = failure;
      transport.thread().check(this);
    } else {
      fail(failure != null ? failure : new IOException("the peer has closed the connection"));
    }
  }

  // Any thread.

  @Override
  public boolean enter() {
    return gate.enter();
  }

  @Override
  public void leave() {
    if (gate.leave()) {
      transport.thread().signal(this, CLOSE);
    }
  }

  @Override
  public boolean write(OutboundSource source) throws IOException {
    try {
      UdStream current = stream;
      if (!gate.enter() || current == null) {
        throw new ClosedChannelException();
      }
      boolean all = current.write(source);
      if (current.needsTimer()) {
        transport.thread().signal(this, TIMER);
      }
      if (!all && current.isStarved()) {
        transport.thread().starve(this);
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

  @Override
  public void close() {
    if (gate.close()) {
      transport.thread().signal(this, CLOSE);
    }
  }

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

  // The thread.

  @Override
  public LinkEnd end() {
    return end;
  }

  /** What is sent, from when the peer's end is known; null before. */
  @Nullable UdStream stream() {
    return stream;
  }

  /** The number of the link, or -1; when nobody is inside. */
  int number() {
    return number;
  }

  /** Its place in the timer wheel. */
  TimerWheel.Entry<UdLink> timer() {
    return timer;
  }

  /** Notes whether it has to be settled; returns whether that is a change. */
  boolean touch(boolean touching) {
    boolean changes = touched != touching;
    touched = touching;
    return changes;
  }

  /** A datagram for this number has arrived; returns whether its buffer is kept. */
  boolean arrived(UdReceiver receiver, int buffer, Datagram datagram, int source, long nowNs) {
    UdStream current = stream;
    if (current == null
        || source != current.peerQueuePair()
        || !datagram.isGenuine(receiver.memory(), receiver.offset(buffer), token)) {
      transport.thread().countRefused();
      return false;
    }
    transport.thread().touch(this);
    share = transport.thread().share().count(share);
    UdStream.Outcome outcome = current.arrived(receiver, buffer, datagram, nowNs);
    if (!opened && (outcome == UdStream.Outcome.NEXT || (opener && current.isAnswered()))) {
      open();
    }
    if (outcome == UdStream.Outcome.NEXT) {
      take(receiver, buffer, datagram.kind(), datagram.contentLength());
      takeHeld(current, receiver);
    } else if (outcome == UdStream.Outcome.REFUSED) {
      transport.thread().countRefused();
    }
    goOn();
    return outcome == UdStream.Outcome.HELD;
  }

  private void takeHeld(UdStream current, UdReceiver receiver) {
    for (int held = current.takeHeld(); held >= 0; held = current.takeHeld()) {
      try {
        take(receiver, held, receiver.kind(held), receiver.contentLength(held));
      } finally {
        receiver.releaseHeld(held);
      }
    }
  }

  private void open() {
    try {
      if (gate.enter()) {
        opened = true;
        handler.opened(this);
      }
    } catch (Throwable e) {
      fail(e);
    } finally {
      leave();
    }
  }

  /** The next part of the stream. */
  private void take(UdReceiver receiver, int buffer, int kind, int length) {
    if (kind == Datagram.DATA && !gate.isClosing()) {
      try {
        if (gate.enter()) {
          MemorySegment memory = receiver.memory();
          Handover.deliver(handler, memory, receiver.offset(buffer) + Datagram.LENGTH, length);
        }
      } catch (Throwable e) {
        fail(e);
      } finally {
        leave();
      }
    } else if (kind == Datagram.FAREWELL) {
      farewellHeard = true;
      close();
      transport.thread().signal(this, CLOSE); // it may end already, and waits for nothing now
    }
  }

  /** Lets a writer that waits go on, if there is room. */
  void goOn() {
    UdStream current = stream;
    if (current == null || !current.unblock()) {
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

  /**
   * Sends what is due, and looks at the time.
   *
   * @param scheduledNs when this is called again in any case
   * @return when to call this again at the latest
   */
  long settle(long nowNs, long scheduledNs) {
    UdStream current = stream;
    if (current == null) {
      return UdStream.NEVER;
    }
    try {
      if (current.silenceNs(nowNs) > SILENCE_NS && !gate.isClosing()) {
        long ms = TimeUnit.NANOSECONDS.toMillis(SILENCE_NS);
        throw new IOException(
            "link broken: remote=" + remote() + ": nothing was acknowledged for " + ms + " ms");
      }
      return current.settle(transport.thread().share().window(), nowNs, scheduledNs);
    } catch (IOException | UncheckedIOException e) {
      fail(e);
      return UdStream.NEVER;
    } finally {
      goOn();
      if (gate.isClosed()) {
        transport.thread().signal(this, CLOSE);
      }
    }
  }

  /** Whether a writer waits for what all links share. */
  boolean isStarved() {
    UdStream current = stream;
    return current != null && !gate.isClosing() && current.isStarved();
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
    return !opened || peerGone || farewellHeard || transport.adapter().sender().failure() != null;
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

  @Override
  public void tellEnd() {
    Throwable failure = cause;
    if (!opened) {
      failure = setUp.describe(failure == null ? new IOException("it was closed") : failure);
    }
    handler.closed(failure);
  }
}
