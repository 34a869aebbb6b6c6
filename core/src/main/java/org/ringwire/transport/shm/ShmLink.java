package org.ringwire.transport.shm;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.selector.LingeringClose;
import org.ringwire.transport.selector.SelectorEntry;
import org.ringwire.transport.support.Gate;
import org.ringwire.transport.support.TransportLog;

/**
 * A link through memory, with a socket that wakes the peer and tells when it is gone.
 *
 * <p><em>Threads.</em> The loop opens, reads, completes, reports writability and closes. One other
 * thread at a time may be inside {@link #write}. A {@link Gate} counts it: the loop frees the
 * memory and calls {@link LinkHandler#closed} when nobody is inside any more.
 *
 * <p><em>Sleeping.</em> The loop says that it sleeps, and then looks once more for input; a writer
 * of the peer publishes, and then looks whether the loop sleeps; see {@link OwnSide}. While the
 * loop spins it does not sleep, and no system call is made.
 *
 * <p><em>Writability.</em> The writer sets {@code blocked} before it stalls and looks once more;
 * the loop completes what the peer is done with and then takes {@code blocked} away, if it is set.
 * Who takes it away goes on.
 *
 * <p><em>Completion.</em> A writer completes what came before it. What is written last is completed
 * by the loop, which looks a few times a second while something is outstanding.
 */
final class ShmLink extends SelectorEntry implements Link {

  /** Turns of reading before others have theirs. */
  private static final int TURNS = 16;

  private static final long TICK_NS = 50_000_000;
  private static final long LONGEST_TICK_NS = 1_000_000_000;

  private static final TransportLog LOG = TransportLog.of(ShmLink.class);
  private static final VarHandle CAUSE;
  private static final VarHandle BLOCKED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      CAUSE = lookup.findVarHandle(ShmLink.class, "cause", Throwable.class);
      BLOCKED = lookup.findVarHandle(ShmLink.class, "blocked", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final SocketChannel channel;
  private final Sides sides;
  private final LinkHandler handler;
  private final String remote;
  private final Gate gate = new Gate();
  private final Doorbell bell;
  private final LinkInput input;
  private final LinkOutput output;
  private long lastInputNs; // the loop only, as are the next three
  private long tickNs = TICK_NS;
  private boolean spun;
  private boolean ended;
  private volatile boolean ticking;

  @SuppressWarnings("unused") // by BLOCKED
  private volatile boolean blocked;

  @SuppressWarnings("unused") // by CAUSE
  private volatile @Nullable Throwable cause;

  private ShmLink(
      Attachment attachment,
      ShmTransport transport,
      SocketChannel channel,
      Sides sides,
      String remote,
      LinkHandler handler) {
    super(attachment.loop);
    this.channel = channel;
    this.sides = sides;
    this.handler = handler;
    this.remote = remote;
    bell = new Doorbell(channel);
    input = new LinkInput(sides, bell, handler, gate::isClosing);
    output =
        new LinkOutput(
            sides.own(),
            sides.peer(),
            transport.rings(),
            bell,
            transport.config().ringCapacity() / 2);
  }

  /** Turns a successful attempt into a link; the loop only. */
  static void attached(
      Attachment attachment,
      ShmTransport transport,
      SocketChannel channel,
      Sides sides,
      String remote,
      LinkHandler handler) {
    ShmLink link = new ShmLink(attachment, transport, channel, sides, remote, handler);
    attachment.handKeyTo(link);
    link.open();
  }

  private void open() {
    try {
      handler.opened(this);
      setOps(SelectionKey.OP_READ);
      sleep();
    } catch (Throwable e) {
      fail(e);
    }
  }

  @Override
  public boolean write(OutboundSource source) throws IOException {
    try {
      if (!gate.enter()) {
        throw new ClosedChannelException();
      }
      boolean all = writeOrStall(source);
      if (!ticking && output.outstanding() > 0) {
        ticking = true;
        signal(WRITE);
      }
      return all;
    } catch (IOException e) {
      if (!gate.isClosing()) {
        fail(e);
      }
      throw e;
    } catch (InternalError e) { // of the JVM, when the file behind mapped memory has become shorter
      IOException gone = new IOException("the peer has taken its memory away: remote=" + remote, e);
      fail(gone);
      throw gone;
    } finally {
      leave();
    }
  }

  private boolean writeOrStall(OutboundSource source) throws IOException {
    while (true) {
      long before = output.completed();
      if (output.write(source)) {
        return true;
      }
      blocked = true; // pairs with unblock()
      sides.own().stall();
      output.complete();
      if (output.completed() == before || !unblock()) {
        return false; // the peer rings, or the loop has seen it already
      }
    }
  }

  /** Whether the caller is the one that goes on writing. */
  private boolean unblock() {
    boolean taken = blocked && (boolean) BLOCKED.getAndSet(this, false);
    if (taken) {
      sides.own().unstall();
    }
    return taken;
  }

  /** {@link SelectorEntry#WRITE}: something is outstanding. */
  @Override
  protected void watchWrite() {
    tickNs = TICK_NS;
    loop.schedule(this, System.nanoTime() + tickNs);
  }

  @Override
  protected void expired(long nowNs) throws IOException {
    if (gate.isClosing()) {
      return;
    }
    complete();
    ticking = false; // before the look; a writer looks after it has added to what is outstanding
    if (output.outstanding() > 0) {
      ticking = true;
      tickNs = Math.min(2 * tickNs, LONGEST_TICK_NS);
      loop.schedule(this, nowNs + tickNs);
    }
  }

  private void complete() throws IOException {
    if (output.complete() && unblock()) {
      handler.writable();
    }
  }

  @Override
  protected void watchRead() {
    ready(0);
  }

  @Override
  protected void ready(int readyOps) {
    if (gate.isClosing()) {
      setOps(0);
      return;
    }
    try {
      boolean gone = (readyOps & SelectionKey.OP_READ) != 0 && !bell.listen();
      sides.own().wake();
      if (gone) {
        end();
        return;
      }
      complete();
      boolean any = read();
      if (any && loop.spins()) {
        lastInputNs = System.nanoTime();
        spun |= loop.activate(this, lastInputNs);
      }
      if (!spun) {
        sleep();
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  @Override
  protected void look() {
    try {
      complete();
      if (input.isPending() && read()) {
        lastInputNs = System.nanoTime();
        loop.activate(this, lastInputNs);
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  private boolean read() throws IOException {
    boolean any = false;
    for (int i = 0; i < TURNS && input.read(); i++) {
      any = true;
    }
    return any;
  }

  /** The peer is gone: what it has written before is still read. */
  private void end() throws IOException {
    while (!gate.isClosing() && input.read()) {}
    close();
  }

  private void sleep() {
    sides.own().sleep();
    if (input.isPending()) {
      sides.own().wake();
      signal(READ);
    }
  }

  @Override
  protected boolean isActive() {
    return !gate.isClosing();
  }

  @Override
  protected boolean isSilent(long nowNs, long spinNs) {
    return nowNs - lastInputNs > spinNs;
  }

  @Override
  protected void deactivated() {
    spun = false;
    if (!ended) {
      sleep();
    }
  }

  @Override
  public void close() {
    if (gate.close()) {
      signal(CLOSE);
    }
  }

  private void leave() {
    if (gate.leave()) {
      signal(CLOSE);
    }
  }

  private void fail(Throwable failure) {
    CAUSE.compareAndSet(this, null, failure); // pairs with the read in finish()
    close();
  }

  @Override
  protected void end(@Nullable Throwable reason) {
    if (reason != null) {
      CAUSE.compareAndSet(this, null, reason);
    }
    close();
    tryEnd();
  }

  @Override
  protected void tryEnd() {
    if (gate.isClosed()) {
      forceEnd();
    }
  }

  @Override
  public void forceEnd() {
    if (!ended) {
      ended = true;
      finish();
    }
  }

  private void finish() {
    loop.unschedule(this);
    if (!LingeringClose.start(this, channel)) {
      closeQuietly(channel);
    }
    input.close();
    sides.close();
    try {
      handler.closed(cause);
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, "handler failed at the end of a link: " + remote, e);
    }
  }

  @Override
  public String remote() {
    return remote;
  }
}
