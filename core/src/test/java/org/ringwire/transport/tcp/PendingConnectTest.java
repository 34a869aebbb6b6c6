package org.ringwire.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.selector.SelectorEntry;

/** Hosts with several addresses. */
@ExtendWith(NodeWatcher.class)
class PendingConnectTest {

  private static final TransportConfig CONFIG =
      new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(4));

  /** A listener that accepts nothing drops who comes when its queue is full. */
  private static List<SocketChannel> fill(ServerSocket silent) throws IOException {
    List<SocketChannel> waiting = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      SocketChannel channel = SocketChannel.open();
      waiting.add(channel);
      channel.configureBlocking(false);
      boolean _ = channel.connect(silent.getLocalSocketAddress());
    }
    return waiting;
  }

  @Test
  void shouldTryTheSecondAddressThoughTheFirstIsSilent() throws IOException {
    List<SocketChannel> waiting = List.of();
    TcpTransport transport = TcpTransport.open(CONFIG);
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.2"));
        ServerSocket good = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      waiting = fill(silent);
      InetSocketAddress[] both = {
        (InetSocketAddress) silent.getLocalSocketAddress(),
        (InetSocketAddress) good.getLocalSocketAddress()
      };
      ProbeHandler handler = new ProbeHandler();
      TcpAddress address = new TcpAddress("both.example.org", good.getLocalPort());
      PendingConnect attempt = new PendingConnect(transport, address, both, handler);
      assertThat(attempt.signal(SelectorEntry.CONNECT)).isTrue();
      handler.link();
      assertThat(handler.isOpened()).isTrue();
    } finally {
      for (SocketChannel channel : waiting) {
        channel.close();
      }
      transport.close();
    }
  }
}
