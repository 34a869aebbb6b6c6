package org.ringwire.transport.tls;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.PeerIdentity;

/**
 * A link with TLS over a link without: towards the medium a handler, towards the node a link.
 *
 * <p><b>Who touches the engine.</b> {@code SSLEngine} allows one thread in {@code wrap} and one in
 * {@code unwrap} at the same time, and both beside the other methods; two threads in the same one
 * would mix up the order of records. So there are two roles.
 *
 * <p><em>Writing</em> ({@link WritingRole}): its holder alone wraps and writes to the medium: the
 * sender that drains, or whoever else the node lets write, in {@link #write}; and for what the
 * engine itself has to say (flights of the handshake, an answer to a change of keys, close_notify,
 * alerts) the thread that found it out.
 *
 * <p><em>Reading</em> belongs to the handshake first, and then to whoever reads the medium: the I/O
 * thread or a requester that leads. During the handshake the reading thread only keeps what comes;
 * one worker of the transport at a time unwraps it, runs the engine's tasks, and wraps the answers,
 * so that no private key is ever used on an I/O thread ({@link HandshakeStrand}). Until its end the
 * worker alone writes, too, unless the link is being closed and no worker is there: one may have
 * the engine's lock for long. An engine in the middle of a handshake unwraps nothing before it has
 * wrapped what it has to say. When the medium takes bytes again the worker is woken. After the
 * handshake the engine of TLS 1.3 delegates no tasks; should one do so, the reading thread runs
 * them.
 *
 * <p><b>The end</b> ({@link TlsEnd}). {@link #close} lets the holder of the writing role append the
 * farewell and, once the medium has taken it, close the medium, but waits {@link #FAREWELL_NS} at
 * most. {@code closed} of the handler comes after the medium's own, and after the worker, if there
 * is one, has left.
 */
final class TlsLink implements Link, LinkHandler, HandshakeStrand.Work {

  /** How long a medium that takes nothing may delay a close. */
  static final long FAREWELL_NS = 1_000_000_000;

  private final TlsTransport transport;
  private final LinkHandler handler;
  private final TlsOpening opening;
  private final long deadlineNs;

  /** Any thread. */
  final HandshakeStrand strand;

  private @Nullable Link medium; // set once, by opened(), as the others before a worker starts
  private @Nullable Future<?> deadline;
  private boolean landing = true; // the reader only: the strand says where input goes
  private boolean rest; // the reader only: some of it is left

  // The handshake: one worker at a time.
  private @Nullable SSLEngine engine;
  private @Nullable ClusterTrust trust;
  private @Nullable TlsInput input;
  private boolean finished; // only ever set
  private volatile boolean open;
  private volatile @Nullable PeerIdentity peer;
  // Writing.
  private @Nullable TlsOutput output; // set by the worker before anybody else may write
  private final WritingRole writing = new WritingRole();
  // The end.
  private final TlsEnd end = new TlsEnd();
  private volatile boolean mediumClosed;
  private volatile @Nullable Future<?> farewellDeadline;

  /**
   * Prepares a link.
   *
   * @param deadlineNs when the handshake must be over, as {@link System#nanoTime}
   */
  TlsLink(TlsTransport transport, LinkHandler handler, TlsOpening opening, long deadlineNs) {
    this.transport = transport;
    this.handler = handler;
    this.opening = opening;
    this.deadlineNs = deadlineNs;
    strand = new HandshakeStrand(transport.executor(), this);
  }

  private Link medium() {
    Link current = medium;
    if (current == null) {
      throw new IllegalStateException("the link is not open");
    }
    return current;
  }

  boolean isClosing() {
    return end.hasBegun();
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  // The handshake.

  @Override
  public void opened(Link openedMedium) {
    medium = openedMedium;
    transport.add(this);
    deadline = transport.schedule(new LinkTasks.Deadline(this), deadlineNs - System.nanoTime());
    boolean _ = strand.wake();
  }

  /**
   * By the timer. It never waits for a worker that is in the middle of something: the engine has a
   * lock, which is held for as long as that takes, so that the peer is told nothing then.
   */
  void deadlinePassed() {
    boolean alone = strand.dismiss();
    if (open) {
      return; // looked at after it: only a worker opens the link
    }
    if (alone) {
      try {
        timedOut();
      } finally { // the medium may have told of its end to a worker that was on its way
        strand.endWorkers(System.nanoTime() + FAREWELL_NS);
      }
    } else {
      broken(TlsFailure.of(medium().remote(), false, late()));
    }
  }

  /** By who is alone with the link. */
  private void timedOut() {
    fail(late());
    closeMedium(); // whatever the medium still holds
  }

  private static SSLException late() {
    return new SSLException("the handshake was not over in time");
  }

  @Override
  public void abandoned() {
    medium().close();
  }

  @Override
  public void advance(MemorySegment bytes) {
    if (!open && System.nanoTime() - deadlineNs >= 0) {
      timedOut(); // where the timer is late, this may come first
    }
    if (end.hasBegun()) {
      serve(); // what close() has left to this worker
      return; // nothing that comes counts any more, and keys cost time
    }
    try {
      MemorySegment records = bytes;
      if (engine == null) {
        TlsOpening.Start start = opening.start(bytes, new LinkTasks.Waking(strand));
        if (start == null) {
          return;
        }
        begin(start);
        records = start.records();
      }
      serve(); // the medium may take bytes again
      advance(false);
      boolean _ = Objects.requireNonNull(input).feed(records, 0, records.byteSize(), false);
    } catch (Throwable e) {
      fail(e);
    }
  }

  private void begin(TlsOpening.Start start) throws SSLException {
    TlsContexts.Engine made = start.made();
    engine = made.engine();
    trust = made.trust();
    EmptyRecords empties = new EmptyRecords(made.engine());
    input = new TlsInput(this, handler, made.engine(), transport.buffers(), empties);
    output = transport.output(made.engine(), medium(), start.origin(), empties);
    made.engine().beginHandshake();
    writing.ask();
  }

  /** By the reader: what the engine wants after an unwrap, or before the first. */
  void advance(boolean handshakeFinished) throws SSLException {
    if (handshakeFinished) {
      finished = true;
    }
    SSLEngine current = Objects.requireNonNull(engine);
    HandshakeStatus status = current.getHandshakeStatus();
    while (status == HandshakeStatus.NEED_TASK) {
      TlsInput.runTasks(current);
      status = current.getHandshakeStatus();
    }
    if (status == HandshakeStatus.NEED_WRAP) {
      writing.ask();
      serve();
    }
    TlsOutput said = output;
    finished |= said != null && said.isHandshakeFinished();
    if (finished && !open && !end.hasBegun()) {
      establish(current);
    }
  }

  private void establish(SSLEngine current) throws SSLException {
    peer = Objects.requireNonNull(trust).identifyPeer(current);
    opening.established(current);
    cancelDeadline();
    open = true;
    handler.opened(this);
  }

  private void cancelDeadline() {
    Future<?> pending = deadline;
    if (pending != null) {
      pending.cancel(false);
    }
  }

  @Override
  public @Nullable PeerIdentity peer() {
    return peer;
  }

  TlsOpening opening() {
    return opening;
  }

  // Reading.

  @Override
  public void received(MemorySegment memory, long offset, long length) {
    if (end.hasBegun()) {
      return;
    }
    long kept = strand.isDirect() ? 0 : strand.keep(memory, offset, length);
    if (kept == length) {
      return;
    }
    try {
      boolean asked = medium().asksForRest();
      rest = Objects.requireNonNull(input).feed(memory, offset + kept, length - kept, asked);
    } catch (Throwable e) {
      fail(e);
    }
  }

  @Override
  public boolean hasRest() {
    return rest;
  }

  @Override
  public void handleRest() {
    rest = false;
    try {
      rest = Objects.requireNonNull(input).handleRest();
    } catch (Throwable e) {
      fail(e);
    }
  }

  @Override
  public @Nullable ByteBuffer destination() {
    return landing ? landing() : null;
  }

  private @Nullable ByteBuffer landing() {
    ByteBuffer buffer = strand.landing();
    landing = buffer != null;
    return buffer;
  }

  @Override
  public void receivedInDestination(int length) {
    received(strand.landed(length), 0, length);
  }

  @Override
  public boolean lead(BooleanSupplier done, long leadDeadlineNs) {
    return strand.isDirect() && medium().lead(done, leadDeadlineNs);
  }

  @Override
  public boolean leadsOthers() {
    return medium().leadsOthers();
  }

  @Override
  public void wakeLeader() {
    medium().wakeLeader();
  }

  @Override
  public void resumeReading() {
    medium().resumeReading();
  }

  @Override
  public void resumeWriting() {
    medium().resumeWriting();
  }

  @Override
  public String remote() {
    return medium().remote();
  }

  // Writing.

  private void giveBack() {
    writing.giveBack(); // before the flags are read
    serve();
    callBack();
  }

  /** After the role was given back: a sender that found it taken tries again. */
  private void callBack() {
    if (writing.takeTurnedAway() && open && !end.hasBegun()) {
      handler.writable();
    }
  }

  @Override
  public boolean write(OutboundSource source) throws IOException {
    if (!writing.tryTakeToSend()) {
      return false;
    }
    try {
      if (end.hasBegun()) {
        throw end.exception();
      }
      return Objects.requireNonNull(output).write(source);
    } catch (SSLException | RuntimeException e) {
      fail(e);
      throw e;
    } catch (IOException e) {
      if (end.hasBegun()) {
        throw end.cause() == null ? e : end.exception();
      }
      medium().close(); // whose end tells why, after what the peer has said last
      return false;
    } finally {
      giveBack();
    }
  }

  /** Does what was asked for, unless a holder of the role is there to do it; any thread. */
  private void serve() {
    boolean served = false;
    while (writing.isAsked() && writing.tryTake()) {
      served = true;
      try {
        serveHeld();
      } catch (SSLException | RuntimeException e) {
        fail(e);
      } catch (IOException e) {
        medium().close(); // it is broken, and says why when it closes
      } catch (Error e) {
        broken(e);
      } finally {
        writing.giveBack(); // before the flags are read again
      }
    }
    if (served) {
      callBack();
    }
  }

  private void serveHeld() throws IOException {
    TlsOutput current = output;
    if (writing.takeLast()) {
      if (current != null) {
        current.free();
      }
      return;
    }
    writing.takeAsked(); // before what is due is looked at
    if (end.hasBegun()) {
      if (end.isFarewellSaid(current)) {
        closeMedium();
      }
    } else if (current != null) {
      boolean _ = current.flushAndRest();
    }
  }

  @Override
  public void writable() {
    writing.ask();
    if (!open && (strand.leaveToWorker() || (!end.hasBegun() && strand.wake()))) {
      return; // the worker writes
    }
    serve();
    if (open && !end.hasBegun()) {
      handler.writable();
    }
  }

  // The end.

  /** The peer's close_notify: an orderly end. The reader only. */
  void peerCloses() {
    close();
  }

  /** Closes because of a failure; any thread, the first one counts. */
  private void fail(Throwable failure) {
    if (end.hasBegun()) {
      return;
    }
    if (failure instanceof TlsInput.NotTlsException && opening.address() == null) {
      end.ofForeignPeer();
    }
    try {
      boolean ofTls = failure instanceof SSLException;
      Throwable told = ofTls ? TlsFailure.of(medium().remote(), open, failure) : failure;
      end.because(told);
      close();
    } catch (Error e) {
      broken(failure);
    }
  }

  /** Ends without a farewell, for which there is no memory, or no stack. */
  @Override
  public void broken(Throwable failure) {
    end.because(failure);
    boolean _ = end.begin();
    closeMedium();
  }

  /** Whether the medium has taken all that was to be said, or has no more time for that. */
  boolean isFarewellOver() {
    return mediumClosed;
  }

  void closeMedium() {
    mediumClosed = true; // before it is: who closes once more tries again
    medium().close();
  }

  @Override
  public void close() {
    if (!end.begin()) { // before anything is asked for
      if (mediumClosed) { // once more, if there was no memory to end it
        medium().close();
        strand.resumeEnd();
      }
      return;
    }
    try {
      writing.ask();
      if (open || !strand.leaveToWorker()) { // it may have the engine's lock for long
        serve();
      }
      if (!mediumClosed) { // the medium takes nothing, or a sender is about to do it
        farewellDeadline = transport.schedule(new LinkTasks.Farewell(this), FAREWELL_NS);
      }
    } catch (Error e) {
      broken(e);
    }
  }

  @Override
  public void closed(@Nullable Throwable reason) {
    strand.mediumEnded(reason);
  }

  @Override
  public void ended(@Nullable Throwable reason) {
    if (!end.hasBegun()) {
      end.because(TlsFailure.ofMedium(medium, opening.address(), open, reason));
      boolean _ = end.begin();
    }
    cancelDeadline();
    Future<?> pending = farewellDeadline;
    if (pending != null) {
      pending.cancel(false);
    }
    writing.retire();
    serve();
    TlsInput current = input;
    if (current != null) {
      current.free();
    }
    transport.remove(this);
    opening.ended();
    handler.closed(end.cause());
  }
}
