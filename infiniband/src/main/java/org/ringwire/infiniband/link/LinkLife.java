package org.ringwire.infiniband.link;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.connect.ExchangeException;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.PeerIdentity;
import org.ringwire.transport.support.EndedLink;
import org.ringwire.transport.support.FirstFailure;
import org.ringwire.transport.support.Gate;
import org.ringwire.transport.support.Handover;
import org.ringwire.transport.support.InterestQueue;

/**
 * What a link is from the attempt until the end, whatever carries its data: who is inside, whether
 * it is open, why it ends. All calls of its handler are made here.
 *
 * <p><em>Opening.</em> READY is said, and the handler hears that the link is open, under one lock:
 * so who writes, which is after that, comes after READY. The link counts as open once the handler
 * has heard it: another thread that finds it open may go on with input.
 *
 * <p><em>Closing.</em> A {@link Gate} counts the threads that write, and those in the handler. The
 * last one to leave after the close tells the engine's thread, which drives the end ({@link
 * LinkEnd}). Nobody enters any more, so nothing follows {@link LinkHandler#closed}, and nobody uses
 * what is released at the end.
 */
public final class LinkLife extends InterestQueue.Node {

  private final EngineLink link;
  private final LinkData data;
  private final LinkHandler handler;
  private final EngineThread thread;
  private final LinkSetUp setUp;
  private final LinkEnd end;
  private final Gate gate = new Gate();
  private final Object opening = new Object();
  private final Runnable tellGone = this::gone; // made before, as there may be no heap for it
  private final AtomicBoolean starving = new AtomicBoolean();
  private volatile boolean opened;
  private volatile boolean farewellHeard;
  private volatile boolean peerLost;
  private volatile @Nullable Throwable setUpFailure;

  private final FirstFailure cause = new FirstFailure();

  /**
   * An attempt, whose time is limited.
   *
   * @param address that is connected to, or null on the accepting side
   * @param remote the peer's address, for people
   */
  @SuppressWarnings("this-escape") // a final class
  public LinkLife(
      EngineLink link,
      LinkData data,
      LinkHandler handler,
      EngineThread thread,
      @Nullable String address,
      String remote) {
    this.link = link;
    this.data = data;
    this.handler = handler;
    this.thread = thread;
    setUp = new LinkSetUp(this, thread.register().setUpThreads(), address, remote);
    end = new LinkEnd(this, data, thread.register(), thread.connectTimeout());
  }

  /** What it is the life of. */
  EngineLink link() {
    return link;
  }

  /** The handler of the connection over TCP beside it. */
  LinkSetUp setUp() {
    return setUp;
  }

  // Any thread.

  /** Leaves interests to the engine's thread, which calls {@link EngineLink#apply}. */
  public void signal(int interests) {
    thread.signal(this, interests);
  }

  /** Goes inside: then nothing ends before {@link #leave}, which follows whatever the result. */
  public boolean enter() {
    return gate.enter();
  }

  /** Goes out again. */
  public void leave() {
    if (gate.leave()) {
      signal(EngineThread.CLOSE);
    }
  }

  /** Begins to end. */
  void close() {
    if (gate.close()) {
      signal(EngineThread.CLOSE);
    } else {
      link.wakeLeader(); // who leads is inside
    }
  }

  /** Closes because of a failure; the first one is the cause. */
  public void fail(Throwable failure) {
    cause.note(failure);
    close();
  }

  /** A write has failed, perhaps only because the link closes. */
  public void writeFailed(Throwable failure) {
    if (!gate.isClosing()) {
      fail(failure);
    }
  }

  /** What a writer is told who comes too late. */
  public IOException ended() {
    return EndedLink.exception(cause.get());
  }

  /**
   * The link is broken, as this error says; unless the peer has ended it in order before: then
   * nothing comes through any more, and that is no failure.
   */
  public void failBroken(String why) {
    if (farewellHeard) { // volatile; what follows from the farewell comes after its write
      return;
    }
    fail(new IOException("link broken: remote=" + remote() + ": " + why));
  }

  /** Notes whether it is among those that starve; returns whether that is news. */
  boolean starves(boolean now) {
    return starving.compareAndSet(!now, now);
  }

  /** The peer's address, for people. */
  public String remote() {
    return setUp.remote();
  }

  /** Who the peer has proved to be to TLS. */
  @Nullable PeerIdentity peer() {
    return setUp.peer();
  }

  /** Whether it was ever open. */
  public boolean isOpened() {
    return opened;
  }

  /** Whether it closes. */
  public boolean isClosing() {
    return gate.isClosing();
  }

  /** Whether nobody is inside, nor will be. */
  public boolean isClosed() {
    return gate.isClosed();
  }

  // The threads that set links up.

  /**
   * Both ends are ready, and this is the opener's; inside.
   *
   * @return false if there is no room for that yet
   * @throws ExchangeException if the peer has not waited for it: then others may write already, and
   *     what is posted with has one user at a time
   */
  boolean sayReady() throws IOException {
    synchronized (opening) {
      if (opened) {
        ExchangeException early =
            new ExchangeException("the peer has sent something before the link was ready");
        fail(early); // the first failure: else it would be that the peer is gone
        throw early;
      }
      return link.sayReady();
    }
  }

  /** The connection over TCP has ended. */
  void setUpEnded(@Nullable Throwable failure) {
    peerLost = true;
    if (gate.isClosing()) {
      signal(EngineThread.CLOSE); // nobody to wait for any more
    } else if (data.isConnected()) { // what came before may open it, and tell of an orderly end
      setUpFailure = failure;
      link.peerLost();
    } else {
      fail(failure != null ? failure : new IOException("the peer has closed the connection"));
    }
  }

  // Threads of the engine.

  /** The peer's end is ready, too: the link is usable, once this has returned. */
  public void open() {
    if (opened) {
      return;
    }
    try {
      synchronized (opening) {
        if (gate.enter() && !opened) {
          try {
            handler.opened(link);
          } finally {
            opened = true;
          }
        }
      }
    } catch (Throwable e) {
      fail(e);
    } finally {
      leave();
    }
  }

  /**
   * Hands over what has arrived; inside, by one thread at a time. Nothing any more after a failure,
   * though there was no heap to close then: perhaps something is missing before it.
   */
  public void handOver(MemorySegment memory, long offset, long length) {
    if (cause.get() != null) {
      close();
    } else if (!gate.isClosing()) {
      Handover.deliver(handler, memory, offset, length);
    }
  }

  /** The peer has said that this is the orderly end, after all that was handed over. */
  public void farewell() {
    farewellHeard = true;
    close();
    signal(EngineThread.CLOSE); // it may end already, and waits for nothing now
  }

  /** What is told, by {@link AfterInput}, of a peer that is gone. */
  public Runnable tellGone() {
    return tellGone;
  }

  /** The peer is gone, and all that it had sent was handed over. */
  private void gone() {
    if (gate.isClosing()) {
      return;
    }
    Throwable failure = setUpFailure;
    if (opened || failure == null) {
      failBroken("the peer is gone");
    } else {
      fail(failure);
    }
  }

  /** A writer waits no more, and may go on. */
  public void writable() {
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

  // The engine's thread, which drives ends.

  /** How it ends. */
  LinkEnd end() {
    return end;
  }

  /** Whether it has ended. */
  public boolean isOver() {
    return end.isOver();
  }

  /** Whether there is nobody, or nothing, to say farewell to. */
  boolean endsAbruptly() {
    return !opened || peerLost || farewellHeard || data.isBroken();
  }

  /** The last call of the handler, when nobody is inside. */
  void tellEnd() {
    Throwable failure = cause.get();
    if (!opened) {
      failure = setUp.describe(failure == null ? new IOException("it was closed") : failure);
    }
    handler.closed(failure);
  }
}
