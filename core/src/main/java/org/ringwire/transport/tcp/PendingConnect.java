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
import org.ringwire.transport.selector.LinkAttempt;

/**
 * An attempt to connect: tries the addresses of a host one after the other, within one time limit
 * for all, of which each gets its share, and becomes a {@link TcpLink}.
 */
final class PendingConnect extends LinkAttempt {

  private final TcpTransport transport;
  private final TcpAddress address;
  private final InetSocketAddress[] candidates;
  private int next;
  private @Nullable IOException failure;

  PendingConnect(
      TcpTransport transport,
      TcpAddress address,
      InetSocketAddress[] candidates,
      LinkHandler handler) {
    super(transport, null, handler);
    this.transport = transport;
    this.address = address;
    this.candidates = candidates;
  }

  @Override
  protected void begin() {
    tryNext();
  }

  private void tryNext() {
    while (next < candidates.length) {
      limitTime(candidates.length - next);
      InetSocketAddress candidate = candidates[next++];
      try {
        if (startConnect(candidate)) {
          succeed();
        }
        return;
      } catch (IOException e) {
        giveUp(e);
      } catch (UnsupportedOperationException e) { // without IPv6
        giveUp(new IOException(e.getMessage(), e));
      }
    }
    IOException last = failure;
    fail(last == null ? new IOException("no address") : last);
  }

  /** Returns whether the connection is there already. */
  private boolean startConnect(InetSocketAddress candidate) throws IOException {
    SocketChannel opened =
        SocketChannel.open(
            candidate.getAddress() instanceof Inet4Address
                ? StandardProtocolFamily.INET
                : StandardProtocolFamily.INET6);
    own(opened);
    opened.configureBlocking(false);
    transport.sizeBuffers(opened);
    boolean connected = opened.connect(candidate);
    register(opened, connected ? 0 : SelectionKey.OP_CONNECT);
    return connected;
  }

  @Override
  protected void ready(int readyOps) {
    SocketChannel connecting = channel();
    if (connecting == null || isDone()) {
      return;
    }
    try {
      if (connecting.finishConnect()) {
        succeed();
      }
    } catch (IOException e) {
      giveUp(e);
      tryNext();
    }
  }

  @Override
  protected void expired(long nowNs) {
    if (next == candidates.length || isDone()) {
      super.expired(nowNs);
      return;
    }
    giveUp(new SocketTimeoutException("no answer from " + candidates[next - 1]));
    tryNext();
  }

  private void succeed() throws IOException {
    SocketChannel connected = channel();
    if (connected == null) {
      throw new ClosedChannelException();
    }
    if (connected.getLocalAddress().equals(connected.getRemoteAddress())) {
      // Both ends got the same free port: nobody listens there.
      throw new ConnectException("Connection refused");
    }
    become(() -> TcpLink.connected(loop, transport.leaders(), connected, handler()));
  }

  private void giveUp(IOException cause) {
    failure = cause;
    giveUpChannel();
  }

  @Override
  protected IOException describe(Throwable cause) {
    String reason = DescriptorLimit.explain(cause);
    String advice = isRefused(cause) ? " (nothing listens there)" : "";
    return new IOException("cannot connect: address=" + address + ": " + reason + advice, cause);
  }

  /**
   * In any language; the system's own limit of time has the same class, and is longer than ours.
   */
  private static boolean isRefused(Throwable cause) {
    return cause instanceof ConnectException
        && !String.valueOf(cause.getMessage()).contains("timed out");
  }
}
