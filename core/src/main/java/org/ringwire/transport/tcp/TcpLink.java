package org.ringwire.transport.tcp;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.selector.LingeringClose;
import org.ringwire.transport.selector.SelectorEntry;
import org.ringwire.transport.selector.SelectorLoop;
import org.ringwire.transport.support.Gate;
import org.ringwire.transport.support.TransportLog;

/**
 * A connected channel.
 *
 * <p><em>Threads.</em> The loop opens, reads, reports writability and closes. One other thread at a
 * time may be inside {@link #write} (the engine's role of consumer sees to that), and one may read
 * instead of the loop ({@link LinkReader}).
 *
 * <p><em>Closing.</em> A {@link Gate} counts the threads inside {@link #write} and {@link #lead}.
 * The last one to leave after the close leaves the CLOSE interest, and the loop then closes the
 * channel and calls {@link LinkHandler#closed}. Since nobody enters any more, nothing follows that
 * call, and no thread ever writes to a channel that is closed under it. Bytes written before still
 * arrive: see {@link LingeringClose}.
 *
 * <p><em>Causes.</em> The first failure is the cause of the close: an exception of the handler, or
 * of reading. A failure to write is reported to the writer and kept as the cause too, but before
 * the link ends, what the peer had sent is read to its end: that may tell why the peer left.
 */
final class TcpLink extends SelectorEntry implements Link {

  /** Reads that look for a last word of a peer that takes no more. */
  private static final int MAX_LEFTOVERS = 64;

  private static final TransportLog LOG = TransportLog.of(TcpLink.class);
  private static final VarHandle CAUSE;

  static {
    try {
      CAUSE = MethodHandles.lookup().findVarHandle(TcpLink.class, "cause", Throwable.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final SocketChannel channel;
  private final LinkHandler handler;
  private final String remote;
  private final Gate gate = new Gate();
  private final LinkReader reader;
  private final LinkWriter writer;
  private int ops; // the loop only, as are the next two
  private long lastInputNs;
  private boolean ended;
  private volatile boolean writeFailed;

  @SuppressWarnings("unused") // by CAUSE
  private volatile @Nullable Throwable cause;

  private TcpLink(
      SelectorLoop loop,
      LeaderResources leaders,
      SocketChannel channel,
      String remote,
      LinkHandler handler) {
    super(loop);
    reader = new LinkReader(this, leaders, channel, handler, gate);
    writer = new LinkWriter(channel, gate);
    this.channel = channel;
    this.remote = remote;
    this.handler = handler;
  }

  /** Turns a successful attempt into a link; the loop only. */
  static void connected(
      PendingConnect attempt, LeaderResources leaders, SocketChannel channel, LinkHandler handler) {
    String remote;
    try {
      remote = TcpAddress.format((InetSocketAddress) channel.getRemoteAddress());
    } catch (IOException e) {
      remote = "closed";
    }
    TcpLink link = new TcpLink(attempt.loop, leaders, channel, remote, handler);
    attempt.handKeyTo(link);
    link.open();
  }

  /** Gives an accepted channel to a loop; closes it if that has ended. */
  static void accepted(
      TcpTransport transport, SocketChannel channel, String remote, LinkHandler handler) {
    TcpLink link =
        new TcpLink(transport.chooseLoop(), transport.leaders(), channel, remote, handler);
    if (!link.signal(CONNECT)) {
      link.end(null);
    }
  }

  @Override
  protected void begin() throws IOException {
    try {
      register(channel, 0);
    } catch (IOException e) {
      end(e);
      return;
    }
    open();
  }

  private void open() {
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      handler.opened(this);
      reader.open();
      setReadWrite(SelectionKey.OP_READ);
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
      boolean all = writer.write(source);
      if (!all) {
        signal(WRITE);
      }
      return all;
    } catch (IOException e) {
      if (!gate.isClosing()) {
        writeFailed = true;
        CAUSE.compareAndSet(this, null, broken(e)); // pairs with the read in finish()
      }
      throw e;
    } finally {
      leave();
    }
  }

  @Override
  public void close() {
    if (gate.close()) {
      signal(CLOSE);
    } else {
      reader.wakeLeader();
    }
  }

  private void leave() {
    if (gate.leave()) {
      signal(CLOSE);
    }
  }

  @Override
  public boolean lead(BooleanSupplier done, long deadlineNs) {
    try {
      return gate.enter() && !Thread.currentThread().isVirtual() && reader.lead(done, deadlineNs);
    } finally {
      leave();
    }
  }

  @Override
  public void wakeLeader() {
    reader.wakeLeader();
  }

  @Override
  public void resumeReading() {
    if (reader.isDisarmed()) {
      signal(READ);
    }
  }

  @Override
  public String remote() {
    return remote;
  }

  @Override
  protected void watchWrite() {
    setReadWrite(ops | SelectionKey.OP_WRITE);
  }

  @Override
  protected void ready(int readyOps) {
    if (gate.isClosing()) {
      setReadWrite(0);
      return;
    }
    try {
      if ((readyOps & SelectionKey.OP_READ) != 0) {
        long length = reader.readOnLoop(loop.readBuffer());
        if (length > 0) {
          noteInput();
        } else if (length == LinkReader.LED) {
          disarm();
        }
      }
      if ((readyOps & SelectionKey.OP_WRITE) != 0) {
        setReadWrite(ops & ~SelectionKey.OP_WRITE);
        handler.writable();
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  private void disarm() {
    if (!reader.isDisarmed() && reader.disarm()) {
      setReadWrite(ops & ~SelectionKey.OP_READ);
      loop.schedule(this, System.nanoTime() + LinkReader.TICK_NS);
    }
  }

  @Override
  protected void expired(long nowNs) {
    if (gate.isClosing()) {
      return;
    }
    if (reader.tryRearm()) {
      setReadWrite(ops | SelectionKey.OP_READ);
    } else {
      loop.schedule(this, nowNs + LinkReader.TICK_NS);
    }
  }

  @Override
  protected void watchRead() {
    if (reader.rearmNow()) {
      loop.unschedule(this);
      setReadWrite(ops | SelectionKey.OP_READ);
    }
  }

  private void noteInput() {
    if (loop.spins()) {
      lastInputNs = System.nanoTime();
      loop.activate(this, lastInputNs);
    }
  }

  @Override
  protected boolean isActive() {
    return !gate.isClosing() && !reader.isDisarmed();
  }

  @Override
  protected boolean isSilent(long nowNs, long spinNs) {
    return nowNs - lastInputNs > spinNs;
  }

  /** A failure of the channel, told with the address. */
  IOException broken(IOException e) {
    return new IOException("link broken: remote=" + remote + ": " + e.getMessage(), e);
  }

  /** Closes because of a failure; any thread inside. */
  void fail(Throwable failure) {
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
    if (writeFailed && !reader.hasFailed()) {
      readLeftovers();
    }
    reader.close();
    if (writeFailed || reader.isInputEnded() || !LingeringClose.start(this, channel)) {
      closeQuietly(channel);
    }
    try {
      handler.closed(cause);
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, "handler failed at the end of a link: " + remote, e);
    }
  }

  private void readLeftovers() {
    try {
      for (int i = 0; i < MAX_LEFTOVERS && reader.readOnLoop(loop.readBuffer()) > 0; i++) {}
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.DEBUG, "no last word of " + remote, e);
    }
  }

  private void setReadWrite(int wanted) {
    ops = wanted;
    setOps(wanted);
  }
}
