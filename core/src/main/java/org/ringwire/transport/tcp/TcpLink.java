package org.ringwire.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.selector.ChannelLink;
import org.ringwire.transport.selector.LeaderResources;
import org.ringwire.transport.selector.LinkInput;
import org.ringwire.transport.selector.LinkReader;
import org.ringwire.transport.selector.SelectorLoop;
import org.ringwire.transport.support.Gate;
import org.ringwire.transport.support.TransportLog;

/**
 * A connected channel.
 *
 * <p><em>Causes.</em> An exception of the handler, or of reading, closes the link. A failure to
 * write is reported to the writer and kept as the cause too, but before the link ends, what the
 * peer had sent is read to its end: that may tell why the peer left.
 */
final class TcpLink extends ChannelLink {

  /** Bytes that are looked through for a last word of a peer that takes no more. */
  private static final long MAX_LEFTOVERS = 16 << 20;

  private static final TransportLog LOG = TransportLog.of(TcpLink.class);

  private final LinkWriter writer;
  private volatile boolean writeFailed;
  private long leftovers = MAX_LEFTOVERS; // the loop only

  private TcpLink(
      SelectorLoop loop,
      LeaderResources leaders,
      SocketChannel channel,
      String remote,
      LinkHandler handler) {
    Gate gate = new Gate();
    super(
        loop,
        channel,
        remote,
        handler,
        gate,
        leaders,
        new ChannelInput(channel, remote, handler, gate));
    writer = new LinkWriter(channel, gate);
  }

  /** A link with a channel that is connected; not open yet. */
  static TcpLink connected(
      SelectorLoop loop, LeaderResources leaders, SocketChannel channel, LinkHandler handler) {
    String remote;
    try {
      remote = TcpAddress.format((InetSocketAddress) channel.getRemoteAddress());
    } catch (IOException e) {
      remote = "closed";
    }
    return new TcpLink(loop, leaders, channel, remote, handler);
  }

  /**
   * Gives an accepted channel to a loop; closes it if that has ended. If there is no link for want
   * of heap, the handler hears of its end, and the caller closes the channel.
   */
  static void accepted(
      TcpTransport transport, SocketChannel channel, String remote, LinkHandler handler) {
    TcpLink link;
    try {
      link = new TcpLink(transport.chooseLoop(), transport.leaders(), channel, remote, handler);
    } catch (Throwable e) {
      handler.closed(e);
      throw e;
    }
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

  @Override
  protected void prepare() throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  @Override
  protected boolean writeInside(OutboundSource source) throws IOException {
    boolean all = writer.write(source);
    if (!all) {
      signal(WRITE);
    }
    return all;
  }

  @Override
  protected IOException writeFailed(IOException failure) {
    writeFailed = true;
    IOException told = broken(remote(), failure);
    note(told);
    return told;
  }

  @Override
  protected void watchWrite() {
    watch(SelectionKey.OP_WRITE);
  }

  @Override
  protected void ready(int readyOps) {
    if (gate.isClosing()) {
      unwatch(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
      return;
    }
    try {
      if ((readyOps & SelectionKey.OP_READ) != 0) {
        long length = reader.readOnLoop(loop.readBuffer(), true);
        if (length > 0) {
          noteInput(length);
          goOnLater();
        } else if (length == LinkReader.LED) {
          disarm();
          goOnLater(); // who wanted to lead may have given up meanwhile
        } else if (length == LinkInput.NO_ROOM) {
          pause();
        }
      }
      if ((readyOps & SelectionKey.OP_WRITE) != 0) {
        unwatch(SelectionKey.OP_WRITE);
        handler.writable();
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  /**
   * Unless a leader has come, who sees to it: he reads it, or asks for this thread when he leaves.
   * A late look is by one of the two, after he has written what it looks at.
   */
  private void goOnLater() throws IOException {
    if (handler.hasRest() && !reader.restOnLoop()) {
      signal(READ);
    }
  }

  @Override
  protected void watchRead() {
    super.watchRead();
    if (handler.hasRest()) {
      ready(SelectionKey.OP_READ);
    }
  }

  @Override
  public boolean asksForRest() {
    return true;
  }

  /** A failure of the channel, told with the address. */
  static IOException broken(String remote, IOException e) {
    return new IOException("link broken: remote=" + remote + ": " + e.getMessage(), e);
  }

  @Override
  protected boolean readsOn() {
    if (!writeFailed || reader.hasFailed()) {
      return false;
    }
    try {
      long length = reader.readOnLoop(loop.readBuffer(), true);
      if (length == LinkReader.LED) { // by who leaves again, as the link closes
        return true;
      }
      leftovers -= length;
      return length > 0 && leftovers > 0;
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.DEBUG, "no last word of " + remote(), e);
      return false;
    }
  }

  @Override
  protected boolean mayLinger() {
    return !writeFailed && super.mayLinger();
  }
}
