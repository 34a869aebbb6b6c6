package org.ringwire.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.List;
import org.ringwire.idle.FirstUse;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.selector.ChannelTransport;
import org.ringwire.transport.selector.DescriptorLimit;
import org.ringwire.transport.selector.Listener;
import org.ringwire.transport.selector.ReadBuffer;
import org.ringwire.transport.selector.SelectorLoop;

/**
 * Links over TCP, by non-blocking channels and a few I/O threads ({@link SelectorLoop}); addresses
 * are {@code host:port} or {@code [ipv6]:port}.
 *
 * <p>Kernel buffers are left to the kernel, which grows them with the traffic; the system property
 * {@value #SOCKET_BUFFERS} asks for a fixed size instead: a number of bytes, or {@code ring} for
 * the size of the send ring.
 */
final class TcpTransport extends ChannelTransport {

  private static final String SOCKET_BUFFERS = "ringwire.tcp.socketBuffers";

  private final int socketBuffers;

  private TcpTransport(TransportConfig config) {
    socketBuffers = socketBuffers(config);
    FirstUse.prepare(TcpLink.class, TcpNames.class);
    super(config, "io", ReadBuffer.LEADER_CAPACITY);
  }

  /** Starts the threads. */
  static TcpTransport open(TransportConfig config) {
    return new TcpTransport(config);
  }

  private static int socketBuffers(TransportConfig config) {
    String value = System.getProperty(SOCKET_BUFFERS, "0");
    if (value.equals("ring")) {
      return config.ringCapacity();
    }
    try {
      return Math.max(0, Integer.parseInt(value));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          SOCKET_BUFFERS + " must be a number of bytes or \"ring\": value=" + value, e);
    }
  }

  @Override
  protected Listener bind(SelectorLoop loop, String address, LinkAcceptor acceptor)
      throws IOException {
    return TcpListener.bind(loop, this, TcpAddress.parse(address), acceptor);
  }

  @Override
  public boolean mayLookUp(String address) {
    try {
      return !TcpAddress.parse(address).isLiteral();
    } catch (IllegalArgumentException e) {
      return false; // connecting says what is wrong
    }
  }

  @Override
  public boolean isLocal(String address) {
    try {
      for (InetSocketAddress candidate : TcpAddress.parse(address).resolve()) {
        if (!candidate.getAddress().isLoopbackAddress()) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      return true; // nobody can connect: to listen on it fails, and says why
    }
  }

  @Override
  public List<String> localNames(String address) {
    return TcpNames.of(address);
  }

  @Override
  public void connect(String address, LinkHandler handler) {
    PendingConnect attempt;
    try {
      TcpAddress target = TcpAddress.parse(address);
      if (target.port() == 0) {
        throw new IllegalArgumentException("port 0 is to listen on only: address=" + address);
      }
      attempt = new PendingConnect(this, target, resolved(target), handler);
    } catch (IOException | RuntimeException e) {
      handler.closed(e);
      return;
    }
    start(attempt);
  }

  private static InetSocketAddress[] resolved(TcpAddress address) throws IOException {
    try {
      return address.resolve();
    } catch (IOException e) {
      throw DescriptorLimit.unresolved(e);
    }
  }

  /** Fixes the size of the kernel's buffers, if that was asked for. */
  void sizeBuffers(NetworkChannel channel) throws IOException {
    if (socketBuffers > 0) {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, socketBuffers);
      if (channel.supportedOptions().contains(StandardSocketOptions.SO_SNDBUF)) {
        channel.setOption(StandardSocketOptions.SO_SNDBUF, socketBuffers);
      }
    }
  }
}
