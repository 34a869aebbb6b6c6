package org.ringwire.transport.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.TransportConfig;

/** What happens to an address that is given up. */
@ExtendWith(NodeWatcher.class)
class ChannelTransportTest {

  private static final TransportConfig CONFIG =
      new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));

  /** How long a loop is given to close what it should not close yet. */
  private static final long GRACE_NS = 300_000_000;

  private static final class Leaving extends ChannelTransport {

    private final ServerSocketChannel channel;
    private boolean boundWhenGivenUp;

    Leaving(ServerSocketChannel channel) {
      this.channel = channel;
      super(CONFIG, "leaving-io", 0);
    }

    @Override
    protected Listener bind(SelectorLoop loop, String address, LinkAcceptor acceptor)
        throws IOException {
      return new Listener(loop, channel, address, accepted -> accepted.close());
    }

    @Override
    protected void unbound(String address) {
      long deadlineNs = System.nanoTime() + GRACE_NS;
      while (channel.isOpen() && System.nanoTime() - deadlineNs < 0) {
        Thread.onSpinWait();
      }
      boundWhenGivenUp = channel.isOpen();
    }

    @Override
    public void connect(String address, LinkHandler handler) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void shouldCleanUpAnAddressWhileNobodyElseCanHaveIt() throws IOException {
    try (ServerSocketChannel channel = ServerSocketChannel.open();
        Leaving transport = new Leaving(channel)) {
      channel.configureBlocking(false);
      channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      transport.listen("address", remote -> null);
      transport.stopListening();
      assertThat(transport.boundWhenGivenUp).isTrue();
      Awaiting.await("end of the listener", () -> !channel.isOpen());
    }
  }
}
