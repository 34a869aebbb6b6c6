package org.ringwire.transport.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.TransportConfig;

/** How an attempt ends of which no link comes. */
@ExtendWith(NodeWatcher.class)
class LinkAttemptTest {

  private static final TransportConfig CONFIG =
      new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));

  private static final class Starving extends ChannelTransport {

    Starving() {
      super(CONFIG, "starving-io", 0);
    }

    @Override
    protected Listener bind(SelectorLoop loop, String address, LinkAcceptor acceptor) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void connect(String address, LinkHandler handler) {
      start(new Starved(this, handler));
    }
  }

  private static final class Starved extends LinkAttempt {

    Starved(Starving transport, LinkHandler handler) {
      super(transport, null, handler);
    }

    @Override
    protected void begin() throws IOException {
      throw new IOException("no link");
    }

    @Override
    protected void ready(int readyOps) {}

    @Override
    protected IOException describe(Throwable cause) {
      throw new OutOfMemoryError("as if");
    }
  }

  /** The node would count a handshake for ever. */
  @Test
  void shouldTellTheHandlerOfTheEndAlsoWithoutHeapToDescribeIt() {
    ProbeHandler handler = new ProbeHandler();
    try (Starving transport = new Starving()) {
      transport.connect("address", handler);
      assertThat(handler.cause()).hasMessage("no link");
    }
  }
}
