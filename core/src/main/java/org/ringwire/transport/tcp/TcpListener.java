package org.ringwire.transport.tcp;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.selector.DescriptorLimit;
import org.ringwire.transport.selector.SelectorEntry;
import org.ringwire.transport.selector.SelectorLoop;
import org.ringwire.transport.support.TransportLog;

/**
 * Accepts connections. When that fails, most likely because the process has no file descriptor
 * left, the listener says so, now and then, stops for a while, longer each time, and tries again:
 * links that exist are not disturbed, and peers wait in the backlog. It keeps a spare descriptor,
 * unused, which it gives up to be able to say so, and takes again when it can.
 */
final class TcpListener extends SelectorEntry {

  /** Connections accepted in a row before other channels have their turn. */
  private static final int ACCEPTS_PER_TURN = 64;

  private static final long REPORT_INTERVAL_NS = TimeUnit.SECONDS.toNanos(30);
  private static final long FIRST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

  private static final TransportLog LOG = TransportLog.of(TcpListener.class);

  private final TcpTransport transport;
  private final ServerSocketChannel channel;
  private final String address;
  private final LinkAcceptor acceptor;
  private @Nullable SocketChannel spare;
  private long pauseNs;
  private boolean reported;
  private long reportedNs;

  private TcpListener(
      SelectorLoop loop,
      TcpTransport transport,
      ServerSocketChannel channel,
      String address,
      LinkAcceptor acceptor,
      SocketChannel spare) {
    super(loop);
    this.spare = spare;
    this.transport = transport;
    this.channel = channel;
    this.address = address;
    this.acceptor = acceptor;
  }

  /** Binds exactly this address, in its own protocol family; does not accept yet. */
  static TcpListener bind(
      SelectorLoop loop, TcpTransport transport, TcpAddress address, LinkAcceptor acceptor)
      throws IOException {
    InetSocketAddress socketAddress = address.resolve()[0];
    // A channel without a family would bind [::], all of IPv6 too, when asked for 0.0.0.0.
    StandardProtocolFamily family =
        socketAddress.getAddress() instanceof Inet4Address
            ? StandardProtocolFamily.INET
            : StandardProtocolFamily.INET6;
    ServerSocketChannel channel = null;
    try {
      channel = ServerSocketChannel.open(family);
      channel.configureBlocking(false);
      // On Windows the option would let another process take the port over.
      boolean windows = System.getProperty("os.name", "").startsWith("Windows");
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, !windows);
      transport.sizeBuffers(channel);
      channel.bind(socketAddress, 1024);
      String bound = TcpAddress.format((InetSocketAddress) channel.getLocalAddress());
      return new TcpListener(loop, transport, channel, bound, acceptor, SocketChannel.open());
    } catch (IOException e) {
      if (channel != null) {
        closeQuietly(channel);
      }
      throw bindFailure(address, e);
    }
  }

  private static IOException bindFailure(TcpAddress address, IOException cause) {
    String reason = String.valueOf(cause.getMessage());
    String explained = DescriptorLimit.explain(cause);
    String advice =
        reason.contains("in use")
            ? "the port is in use; choose another, or end the process that has it"
            : "the host must be an address of this machine, and the port one that it may use";
    String why = explained.equals(reason) ? reason + " (" + advice + ")" : explained;
    BindException failure = new BindException("cannot listen: address=" + address + ": " + why);
    failure.initCause(cause);
    return failure;
  }

  /** The address that is bound. */
  String address() {
    return address;
  }

  @Override
  protected void begin() throws IOException {
    register(channel, SelectionKey.OP_ACCEPT);
  }

  @Override
  protected void ready(int readyOps) {
    for (int i = 0; i < ACCEPTS_PER_TURN && channel.isOpen(); i++) {
      SocketChannel accepted;
      try {
        accepted = channel.accept();
      } catch (IOException e) {
        pause(e);
        return;
      }
      if (accepted == null) {
        resume();
        return;
      }
      take(accepted);
    }
  }

  private void pause(IOException cause) {
    pauseNs = pauseNs == 0 ? FIRST_PAUSE_NS : Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
    setOps(0);
    long nowNs = System.nanoTime();
    loop.schedule(this, nowNs + pauseNs);
    if (!reported || nowNs - reportedNs >= REPORT_INTERVAL_NS) {
      reported = true;
      reportedNs = nowNs;
      giveUpSpare(); // the first message may need a file descriptor: of the time zones
      LOG.log(
          System.Logger.Level.WARNING,
          "cannot accept connections for now; links that exist go on, others wait: address="
              + address
              + ": "
              + DescriptorLimit.explain(cause),
          null);
    }
  }

  private void giveUpSpare() {
    SocketChannel held = spare;
    spare = null;
    if (held != null) {
      closeQuietly(held);
    }
  }

  /** All who had waited are accepted: if that took pauses, they are over. */
  private void resume() {
    if (pauseNs == 0) {
      return;
    }
    pauseNs = 0;
    if (spare == null) {
      try {
        spare = SocketChannel.open();
      } catch (IOException e) {
        LOG.log(System.Logger.Level.DEBUG, "no descriptor to spare: address=" + address, e);
      }
    }
  }

  @Override
  protected void expired(long nowNs) {
    setOps(SelectionKey.OP_ACCEPT);
  }

  private void take(SocketChannel accepted) {
    try {
      accepted.configureBlocking(false);
      transport.sizeBuffers(accepted);
      InetSocketAddress remote = (InetSocketAddress) accepted.getRemoteAddress();
      String name = TcpAddress.format(remote);
      LinkHandler handler = acceptor.accept(name);
      if (handler == null) {
        accepted.close();
        return;
      }
      TcpLink.accepted(transport, accepted, name, handler);
    } catch (Throwable e) { // the peer is gone again, or the acceptor has a defect
      closeQuietly(accepted);
      LOG.log(System.Logger.Level.DEBUG, "connection not accepted: address=" + address, e);
    }
  }

  @Override
  protected void tryEnd() {
    end(null);
  }

  @Override
  protected void end(@Nullable Throwable cause) {
    giveUpSpare();
    closeQuietly(channel);
  }
}
