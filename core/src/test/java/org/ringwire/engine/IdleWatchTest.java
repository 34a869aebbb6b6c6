package org.ringwire.engine;

import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.engine.services.Transports;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.ForwardingTransport;
import org.ringwire.transport.TransportProvider;

/** What looks for idle memory goes on, whatever goes wrong at one look. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class IdleWatchTest {

  private final AtomicInteger trims = new AtomicInteger();

  /** TCP, but what it keeps cannot be trimmed. */
  private TransportProvider failing() {
    return ForwardingTransport.provider(
        "tcp",
        config ->
            new ForwardingTransport(Transports.named("tcp").open(config)) {
              @Override
              public void trim() {
                if (trims.incrementAndGet() % 2 == 1) {
                  throw new IllegalStateException("trim failed on purpose");
                }
                throw new OutOfMemoryError("trim failed on purpose");
              }
            });
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
