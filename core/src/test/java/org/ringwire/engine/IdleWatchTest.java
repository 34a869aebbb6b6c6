package org.ringwire.engine;

import static org.ringwire.engine.TestNodes.await;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;

/** What looks for idle memory goes on, whatever goes wrong at one look. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class IdleWatchTest {

  private final AtomicInteger trims = new AtomicInteger();

  /** TCP, but what it keeps cannot be trimmed. */
  private TransportProvider failing() {
    TransportProvider real = Transports.named("tcp");
    return new TransportProvider() {
      @Override
      public String name() {
        return real.name();
      }

      @Override
      public Transport open(TransportConfig config) {
        return new Failing(real.open(config), trims);
      }
    };
  }

  private record Failing(Transport real, AtomicInteger trims) implements Transport {

    @Override
    public String listen(String address, LinkAcceptor acceptor) throws IOException {
      return real.listen(address, acceptor);
    }

    @Override
    public void connect(String address, LinkHandler handler) {
      real.connect(address, handler);
    }

    @Override
    public void trim() {
      if (trims.incrementAndGet() % 2 == 1) {
        throw new IllegalStateException("trim failed on purpose");
      }
      throw new OutOfMemoryError("trim failed on purpose");
    }

    @Override
    public void stopListening() {
      real.stopListening();
    }

    @Override
    public void close() {
      real.close();
    }
  }

  @Test
  void shouldLookAgainAfterALookThatFailed() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node _ =
          nodes.added(
              MessagingNode.open(
                  nodes.builder(1).idleTime(Duration.ofMillis(20)).build(), 1, failing()));
      await("more looks", () -> trims.get() > 2);
    }
  }
}
