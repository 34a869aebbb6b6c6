package org.ringwire.transport.tcp;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.selector.DescriptorLimit;
import org.ringwire.transport.selector.Listener;
import org.ringwire.transport.selector.SelectorEntry;
import org.ringwire.transport.selector.SelectorLoop;

/** Where a TCP transport listens. */
final class TcpListener {

  private TcpListener() {}

  /** Binds exactly this address, in its own protocol family; does not accept yet. */
  static Listener bind(
      SelectorLoop loop, TcpTransport transport, TcpAddress address, LinkAcceptor acceptor)
      throws IOException {
    InetSocketAddress socketAddress = address.resolve()[0];
    // A channel without a family would bind [::], all of IPv6 too, when asked for 0.0.0.0.
    StandardProtocolFamily family =
        socketAddress.getAddress() instanceof Inet4Address
            ? StandardProtocolFamily.INET
            : StandardProtocolFamily.INET6;
    ServerSocketChannel channel = null;
    boolean made = false;
    try {
      channel = ServerSocketChannel.open(family);
      channel.configureBlocking(false);
      // On Windows the option would let another process take the port over.
      boolean windows = System.getProperty("os.name", "").startsWith("Windows");
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, !windows);
      transport.sizeBuffers(channel);
      channel.bind(socketAddress, 1024);
      String bound = TcpAddress.format((InetSocketAddress) channel.getLocalAddress());
      Listener listener =
          new Listener(loop, channel, bound, accepted -> take(transport, acceptor, accepted));
      made = true;
      return listener;
    } catch (IOException | UnsupportedOperationException e) { // the latter without IPv6
      throw bindFailure(address, e);
    } finally {
      if (!made && channel != null) { // there may be no heap, and the port would stay taken
        SelectorEntry.closeQuietly(channel);
      }
    }
  }

  private static IOException bindFailure(TcpAddress address, Exception cause) {
    String reason = String.valueOf(cause.getMessage());
    String advice = // the system may say in any language what the matter is
        reason.contains("in use")
            ? "the port is in use; choose another, or end the process that has it"
            : "the host must be an address of this machine, and the port one that this process may"
                + " use and nobody else has";
    String why = DescriptorLimit.explain(cause, advice);
    BindException failure = new BindException("cannot listen: address=" + address + ": " + why);
    failure.initCause(cause);
    return failure;
  }

  private static void take(TcpTransport transport, LinkAcceptor acceptor, SocketChannel accepted)
      throws IOException {
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
  }
}
