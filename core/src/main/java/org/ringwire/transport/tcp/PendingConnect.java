package org.ringwire.transport.tcp;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.selector.DescriptorLimit;
import org.ringwire.transport.selector.SelectorEntry;
import org.ringwire.transport.selector.SelectorLoop;

/**
 * An attempt to connect: tries the addresses of a host one after the other, within one time limit
 * for all, and becomes a {@link TcpLink} or tells the handler why not, exactly once.
 */
final class PendingConnect extends SelectorEntry {

  private final TcpTransport transport;
  private final TcpAddress address;
  private final InetSocketAddress[] candidates;
  private final LinkHandler handler;
  private final long giveUpNs;
  private int next;
  private @Nullable SocketChannel channel;
  private @Nullable IOException failure;
  private boolean done;

  PendingConnect(
      SelectorLoop loop,
      TcpTransport transport,
      TcpAddress address,
      InetSocketAddress[] candidates,
      LinkHandler handler) {
    super(loop);
    this.transport = transport;
    this.address = address;
    this.candidates = candidates;
    this.handler = handler;
    giveUpNs = System.nanoTime() + transport.config().connectTimeout().toNanos();
  }

  @Override
  protected void begin() {
    loop.schedule(this, giveUpNs);
    tryNext();
  }

  private void tryNext() {
    while (next < candidates.length) {
      InetSocketAddress candidate = candidates[next++];
      try {
        if (startConnect(candidate)) {
          succeed();
        }
        return;
      } catch (IOException e) {
        giveUpChannel(e);
      }
    }
    IOException last = failure;
    fail(last == null ? new ConnectException("no address") : last);
  }

  /** Returns whether the connection is there already. */
  private boolean startConnect(InetSocketAddress candidate) throws IOException {
    SocketChannel opened =
        SocketChannel.open(
            candidate.getAddress() instanceof Inet4Address
                ? StandardProtocolFamily.INET
                : StandardProtocolFamily.INET6);
    channel = opened;
    opened.configureBlocking(false);
    transport.sizeBuffers(opened);
    boolean connected = opened.connect(candidate);
    register(opened, connected ? 0 : SelectionKey.OP_CONNECT);
    return connected;
  }

  @Override
  protected void ready(int readyOps) {
    SocketChannel connecting = channel;
    if (connecting == null || done) {
      return;
    }
    try {
      if (connecting.finishConnect()) {
        succeed();
      }
    } catch (IOException e) {
      giveUpChannel(e);
      tryNext();
    }
  }

  private void succeed() throws IOException {
    SocketChannel connected = channel;
    if (connected == null) {
      throw new ClosedChannelException();
    }
    if (connected.getLocalAddress().equals(connected.getRemoteAddress())) {
      // Both ends got the same free port: nobody listens there.
      throw new ConnectException("Connection refused");
    }
    done = true;
    channel = null;
    loop.unschedule(this);
    TcpLink.connected(this, transport.leaders(), connected, handler);
  }

  @Override
  protected void expired(long nowNs) {
    long timeoutMs = transport.config().connectTimeout().toMillis();
    fail(new SocketTimeoutException("no answer within " + timeoutMs + " ms"));
  }

  @Override
  protected void end(@Nullable Throwable cause) {
    fail(cause == null ? new IOException("the transport was closed") : cause);
  }

  private void giveUpChannel(IOException cause) {
    failure = cause;
    SocketChannel opened = channel;
    channel = null;
    if (opened != null) {
      closeQuietly(opened);
    }
  }

  private void fail(Throwable cause) {
    if (done) {
      return;
    }
    done = true;
    loop.unschedule(this);
    SocketChannel opened = channel;
    channel = null;
    if (opened != null) {
      closeQuietly(opened);
    }
    handler.closed(describe(address, cause));
  }

  /** A failure to connect, saying where and what to look at. */
  static IOException describe(TcpAddress address, Throwable cause) {
    String reason = DescriptorLimit.explain(cause);
    String advice = reason.contains("refused") ? " (nothing listens there)" : "";
    return new IOException("cannot connect: address=" + address + ": " + reason + advice, cause);
  }
}
