package org.ringwire.infiniband.msgud;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.connect.DatagramTerms;
import org.ringwire.infiniband.connect.Engine;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.datagram.Datagram;
import org.ringwire.infiniband.datagram.TimerWheel;
import org.ringwire.infiniband.link.EngineLink;
import org.ringwire.infiniband.link.EngineThread;
import org.ringwire.infiniband.link.LinkLife;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundSource;

/**
 * A link over datagrams, from the attempt on.
 *
 * <p><em>Threads.</em> One thread at a time writes (the engine's role of consumer sees to that);
 * everything else, and all calls of the handler, is the {@link UdThread}'s. What both use is the
 * {@link UdStream}, guarded by itself.
 *
 * <p><em>Closing.</em> Until the end is over the protocol goes on, so that what was written, and
 * what the peer has, is acknowledged; but nothing is handed over any more.
 */
final class UdLink implements EngineLink {

  /** Interest of the thread: a segment is on its way, so there is a time limit. */
  static final int TIMER = 4;

  private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(30);

  private final UdTransport transport;
  private final LinkLife life;
  private final boolean opener;
  private final TimerWheel.Entry<UdLink> timer = new TimerWheel.Entry<>(this); // the thread only
  private int number = -1; // inside of the life, or after it, as the next
  private long token;
  private volatile @Nullable UdStream stream;
  private boolean touched; // the thread only, as the next
  private long share;

  /**
   * An attempt.
   *
   * @param address that is connected to, or null on the accepting side
   */
  UdLink(UdTransport transport, LinkHandler handler, @Nullable String address, String remote) {
    this.transport = transport;
    opener = address != null;
    StreamData data = new StreamData(transport, this);
    life = new LinkLife(this, data, handler, transport.thread().thread(), address, remote);
  }

  @Override
  public LinkLife life() {
    return life;
  }

  // The threads that set links up.

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
    stream = new UdStream(transport, peer, datagrams, life::fail);
  }

  @Override
  public boolean sayReady() throws IOException {
    UdStream current = stream;
    boolean said = current == null || current.sendSignal(Datagram.READY);
    if (said) {
      life.signal(TIMER);
    }
    return said;
  }

  @Override
  public void peerLost() {
    transport.thread().check(this);
  }

  // Any thread.

  @Override
  public boolean write(OutboundSource source) throws IOException {
    try {
      UdStream current = stream;
      if (!life.enter() || current == null) {
        throw life.ended();
      }
      boolean all = current.write(source);
      if (current.needsTimer()) {
        life.signal(TIMER);
      }
      if (!all && current.isStarved()) {
        transport.thread().thread().starve(this);
      }
      return all;
    } catch (IOException e) {
      life.writeFailed(e);
      throw e;
    } finally {
      life.leave();
    }
  }

  // The thread.

  @Override
  public void apply(int interests) {
    if ((interests & TIMER) != 0) {
      transport.thread().touch(this);
    }
  }

  @Override
  public boolean resume() {
    goOn();
    return !isStarved();
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
    boolean isNext = outcome == UdStream.Outcome.NEXT;
    if (isNext) {
      takeNext(current, receiver, buffer, datagram);
    } else if (outcome == UdStream.Outcome.REFUSED) {
      transport.thread().countRefused();
    }
    if (!isNext && opener && !life.isOpened() && current.isAnswered()) {
      life.open();
    }
    goOnInTurn();
    return outcome == UdStream.Outcome.HELD;
  }

  private void takeNext(UdStream current, UdReceiver receiver, int buffer, Datagram datagram) {
    try {
      if (!life.isOpened()) {
        life.open();
      }
      take(receiver, buffer, datagram.kind(), datagram.contentLength());
      takeHeld(current, receiver);
    } catch (Throwable e) { // it would be missing between what was before it and what follows
      life.fail(e);
    }
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

  /** The next part of the stream. */
  private void take(UdReceiver receiver, int buffer, int kind, int length) {
    if (kind == Datagram.DATA && !life.isClosing()) {
      try {
        if (life.enter()) {
          life.handOver(receiver.memory(), receiver.offset(buffer) + Datagram.LENGTH, length);
        }
      } finally {
        life.leave();
      }
    } else if (kind == Datagram.FAREWELL) {
      life.farewell();
    }
  }

  /**
   * Lets a writer that waits go on, if there is room: behind those that lack what all share, if
   * there are some. What an acknowledgement of this link gives back would else be its own again
   * before others can look for it.
   */
  private void goOnInTurn() {
    UdStream current = stream;
    if (current != null && current.isBlocked() && !isLinedUp()) {
      goOn();
    }
  }

  /** Whether it goes on in its turn; not where there is no heap for that. */
  private boolean isLinedUp() {
    EngineThread thread = transport.thread().thread();
    if (!thread.hasStarved()) {
      return false;
    }
    try {
      thread.starve(this);
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /** Lets a writer that waits go on, if there is room. */
  private void goOn() {
    UdStream current = stream;
    if (current != null && current.unblock()) {
      life.writable();
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
      long deadlineNs = current.settle(transport.thread().share().window(), nowNs, scheduledNs);
      if (current.silenceNs(nowNs) > SILENCE_NS && !life.isClosing()) {
        long ms = TimeUnit.NANOSECONDS.toMillis(SILENCE_NS);
        life.failBroken("nothing was acknowledged for " + ms + " ms");
        return UdStream.NEVER;
      }
      return deadlineNs;
    } catch (IOException | UncheckedIOException e) {
      life.fail(e);
      return UdStream.NEVER;
    } finally {
      goOnInTurn();
      if (life.isClosed()) {
        life.signal(EngineThread.CLOSE);
      }
    }
  }

  /** Whether a writer waits for what all links share. */
  boolean isStarved() {
    UdStream current = stream;
    return current != null && !life.isClosing() && current.isStarved();
  }
}
