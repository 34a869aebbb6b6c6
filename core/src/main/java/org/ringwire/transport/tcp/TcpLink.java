package org.ringwire.transport.tcp;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.support.Gate;

/**
 * A connected channel.
 *
 * <p><em>Threads.</em> The loop opens, reads, reports writability and closes. One other thread at a
 * time may be inside {@link #write} (the engine's role of consumer sees to that).
 *
 * <p><em>Closing.</em> A {@link Gate} counts the threads inside {@link #write}. The last one to
 * leave after the close leaves the CLOSE interest, and the loop then closes the channel and calls
 * {@link LinkHandler#closed}. Since nobody enters any more, nothing follows that call, and no
 * thread ever writes to a channel that is closed under it. Bytes written before still arrive: see
 * {@link LingeringClose}.
 *
 * <p><em>Causes.</em> The first failure is the cause of the close: an exception of the handler, or
 * of reading. A failure to write is reported to the writer and kept as the cause too, but before
 * the link ends, what the peer had sent is read to its end: that may tell why the peer left.
 */
final class TcpLink extends SelectorEntry implements Link {

  /** Bytes offered to the kernel at a time; more would delay the report of what was sent. */
  private static final int MAX_WRITE = 512 << 10;

  /** Bytes read in a row before other links have their turn. */
  private static final int MAX_READ = 1 << 20;

  /** Reads that look for a last word of a peer that takes no more. */
  private static final int MAX_LEFTOVERS = 64;

  private static final int MAX_RANGES = 16;
  private static final System.Logger LOG = System.getLogger(TcpLink.class.getName());
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
  private final OutboundRanges ranges = new OutboundRanges(MAX_RANGES); // the writer only
  private int ops; // the loop only, as are the next three
  private long lastInputNs;
  private boolean inputEnded;
  private boolean ended;
  private volatile boolean writeFailed;

  @SuppressWarnings("unused") // by CAUSE
  private volatile @Nullable Throwable cause;

  private TcpLink(SelectorLoop loop, SocketChannel channel, String remote, LinkHandler handler) {
    super(loop);
    this.channel = channel;
    this.remote = remote;
    this.handler = handler;
  }

  /** Turns a successful attempt into a link; the loop only. */
  static void connected(PendingConnect attempt, SocketChannel channel, LinkHandler handler) {
    String remote;
    try {
      remote = TcpAddress.format((InetSocketAddress) channel.getRemoteAddress());
    } catch (IOException e) {
      remote = "closed";
    }
    TcpLink link = new TcpLink(attempt.loop, channel, remote, handler);
    attempt.handKeyTo(link);
    link.open();
  }

  /** Gives an accepted channel to a loop; closes it if that has ended. */
  static void accepted(
      TcpTransport transport, SocketChannel channel, String remote, LinkHandler handler) {
    TcpLink link = new TcpLink(transport.chooseLoop(), channel, remote, handler);
    if (!link.signal(CONNECT)) {
      link.end(null);
    }
  }

  @Override
  void begin() throws IOException {
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
      do {
        ranges.clear();
        if (source.next(ranges) == 0) {
          return true;
        }
        if (gate.isClosing()) {
          throw new ClosedChannelException();
        }
      } while (writeRanges(source));
      signal(WRITE);
      return false;
    } catch (IOException e) {
      if (!gate.isClosing()) {
        writeFailed = true;
        CAUSE.compareAndSet(this, null, broken(e)); // pairs with the read in finish()
      }
      throw e;
    } finally {
      ranges.clear();
      leave();
    }
  }

  /** Returns whether the kernel took all that was offered. */
  private boolean writeRanges(OutboundSource source) throws IOException {
    int count = limitRanges();
    ByteBuffer[] buffers = ranges.buffers();
    long written = count == 1 ? channel.write(buffers[0]) : channel.write(buffers, 0, count);
    if (written > 0) {
      source.sent(written);
      source.completed(written);
    }
    return !buffers[count - 1].hasRemaining();
  }

  /** Cuts what is offered; returns the number of ranges to write. */
  private int limitRanges() {
    long room = MAX_WRITE;
    int count = 0;
    while (count < ranges.count() && room > 0) {
      ByteBuffer buffer = ranges.buffers()[count++];
      if (buffer.remaining() > room) {
        buffer.limit(buffer.position() + (int) room);
      }
      room -= buffer.remaining();
    }
    return count;
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

  @Override
  public String remote() {
    return remote;
  }

  @Override
  void watchWrite() {
    setReadWrite(ops | SelectionKey.OP_WRITE);
  }

  @Override
  void ready(int readyOps) {
    try {
      if ((readyOps & SelectionKey.OP_READ) != 0 && !gate.isClosing() && readInput() > 0) {
        noteInput();
      }
      if ((readyOps & SelectionKey.OP_WRITE) != 0 && !gate.isClosing()) {
        setReadWrite(ops & ~SelectionKey.OP_WRITE);
        handler.writable();
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  private void noteInput() {
    if (loop.spins()) {
      lastInputNs = System.nanoTime();
      loop.activate(this);
    }
  }

  /** Whether a spinning loop should go on reading this link. */
  boolean isActive(long nowNs, long spinNs) {
    return !gate.isClosing() && nowNs - lastInputNs <= spinNs;
  }

  /** Reads until there is no more for now; returns the number of bytes. */
  private long readInput() throws IOException {
    long total = 0;
    boolean more = true;
    while (more && total < MAX_READ) {
      ByteBuffer destination = handler.destination();
      int room;
      int length;
      if (destination != null && destination.hasRemaining()) {
        room = destination.remaining();
        length = read(destination);
        if (length > 0) {
          handler.receivedInDestination(length);
        }
      } else {
        ReadBuffer own = loop.readBuffer();
        ByteBuffer buffer = own.cleared();
        room = buffer.remaining();
        length = read(buffer);
        if (length > 0) {
          handler.received(own.segment(), 0, length);
        }
      }
      total += Math.max(0, length);
      more = length == room && !gate.isClosing();
    }
    return total;
  }

  private int read(ByteBuffer buffer) throws IOException {
    int length;
    try {
      length = channel.read(buffer);
    } catch (IOException e) {
      inputEnded = true;
      throw broken(e);
    }
    if (length < 0) {
      inputEnded = true;
      setReadWrite(ops & ~SelectionKey.OP_READ);
      close();
    }
    return length;
  }

  private IOException broken(IOException e) {
    return new IOException("link broken: remote=" + remote + ": " + e.getMessage(), e);
  }

  private void fail(Throwable failure) {
    CAUSE.compareAndSet(this, null, failure); // pairs with the read in finish()
    setReadWrite(0);
    close();
  }

  @Override
  void end(@Nullable Throwable reason) {
    if (reason != null) {
      CAUSE.compareAndSet(this, null, reason);
    }
    close();
    tryEnd();
  }

  @Override
  void tryEnd() {
    if (gate.isClosed()) {
      forceEnd();
    }
  }

  @Override
  void forceEnd() {
    if (!ended) {
      ended = true;
      finish();
    }
  }

  private void finish() {
    if (writeFailed && !inputEnded) {
      readLeftovers();
    }
    if (inputEnded || writeFailed || !LingeringClose.start(this, channel)) {
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
      for (int i = 0; i < MAX_LEFTOVERS && !inputEnded && readInput() > 0; i++) {}
    } catch (Throwable e) {
      inputEnded = true; // the cause is known already: the failure to write
    }
  }

  private void setReadWrite(int wanted) {
    ops = wanted;
    setOps(wanted);
  }
}
