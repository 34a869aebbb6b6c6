package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.CloseReport;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeListener;
import org.ringwire.engine.services.Transports;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.ForwardingTransport;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;

/** Who waits for a connection when the node closes is told so: the close may wait for him. */
@ExtendWith(NodeWatcher.class)
class WaitsAtCloseTest {

  /** Nobody waits for so long. */
  private static final Duration FOREVER = Duration.ofHours(1);

  private static final String SILENT = "127.0.0.1:9";

  record Ping(long number) {}

  private final Queue<String> attempts = new ConcurrentLinkedQueue<>();
  private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();
  private final Queue<LossReport> ends = new ConcurrentLinkedQueue<>();

  private final NodeListener listener =
      new NodeListener() {
        @Override
        public void lost(LossReport report) {
          ends.add(report);
        }
      };

  /** Nothing is ever heard from one address. */
  private final class Silence extends ForwardingTransport {

    Silence(Transport real) {
      super(real);
    }

    @Override
    public void connect(String address, LinkHandler handler) {
      if (address.equals(SILENT)) {
        attempts.add(address);
      } else {
        super.connect(address, handler);
      }
    }
  }

  private void call(Node node, String how) {
    try {
      switch (how) {
        case "send" -> node.send(9, new Ping(1), FOREVER);
        case "request" -> {
          Ping _ = node.request(9, new Ping(1), Ping.class, FOREVER);
        }
        default -> {
          int _ = node.connect(SILENT, FOREVER);
        }
      }
    } catch (NodeClosedException e) {
      failures.add(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"send", "request", "connect"})
  void shouldEndTheWaitOfAHandlerForAConnection(String how) {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one =
          nodes.open(
              1,
              settings -> settings,
              ForwardingTransport.provider(
                  "tcp", settings -> new Silence(Transports.named("tcp").open(settings))));
      one.handle(Ping.class, (ping, exchange) -> call(one, how));
      nodes.directory().put(9, SILENT);
      nodes.open(2, settings -> settings.listener(listener)).send(1, new Ping(1));
      await("the attempt", () -> !attempts.isEmpty());
      assertThat(one.close(PATIENCE)).matches(CloseReport::isClean);
      assertThat(failures).hasSize(1);
      await("the end", () -> !ends.isEmpty());
      assertThat(ends.element()).matches(LossReport::isClean);
    }
  }
}
