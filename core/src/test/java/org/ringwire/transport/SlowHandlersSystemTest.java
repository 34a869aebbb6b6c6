package org.ringwire.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringwire.Dispatch;
import org.ringwire.IdleStrategy;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.TestCertificates;
import org.ringwire.transport.shm.ShmTransportProvider;
import org.ringwire.transport.tcp.TcpTransportProvider;

/** One peer has a node handle as much as it can, slowly; another one comes, and asks. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("a codec that blocks in encode()") // a machine with other work stops any thread
class SlowHandlersSystemTest {

  private static final TestCertificates AUTHORITY = new TestCertificates("slow handlers");

  /** Calls of slow handlers while one request is under way: a TLS record has 256 messages. */
  private static final long MOST_CALLS = 200;

  private static final long CALL_NS = 1_000_000;
  private static final int REQUESTS = 5;

  record Slow(long one, long two, long three, long four, long five, long six) {}

  record Ask(long number) {}

  record Told(long number) {}

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final AtomicLong calls = new AtomicLong();
  private final AtomicBoolean over = new AtomicBoolean();
  @TempDir private Path folder;

  static Stream<String> transports() {
    return Stream.of("tcp", "tls", "shm");
  }

  @ParameterizedTest
  @MethodSource("transports")
  void shouldServeOthersBetweenSlowHandlers(String transport) throws Exception {
    serve(transport, IdleStrategy.parking());
  }

  @ParameterizedTest
  @MethodSource("transports")
  void shouldServeOthersBetweenSlowHandlersWhileItSpins(String transport) throws Exception {
    serve(transport, new IdleStrategy(50_000));
  }

  private void serve(String transport, IdleStrategy waiting) throws Exception {
    try (Node receiver = open(transport, waiting, 1);
        Node sender = open(transport, waiting, 2);
        Node other = open(transport, waiting, 3)) {
      receiver.handle(Slow.class, Dispatch.INLINE, (_, _) -> beSlow());
      receiver.handle(
          Ask.class, Dispatch.INLINE, (ask, exchange) -> exchange.reply(new Told(ask.number())));
      Threads threads = new Threads();
      threads.start(() -> saturate(sender));
      Awaiting.await("it is slow", () -> calls.get() > 100);
      List<Long> between = new ArrayList<>();
      try {
        assertThat(ask(other)).isNotNegative(); // connects
        for (int request = 0; request < REQUESTS; request++) {
          between.add(ask(other));
        }
      } finally {
        over.set(true);
        threads.join();
      }
      Collections.sort(between);
      assertThat(between.get(REQUESTS / 2)).as("%s", between).isLessThan(MOST_CALLS);
    }
  }

  private Node open(String transport, IdleStrategy waiting, int id) {
    TransportProvider provider =
        switch (transport) {
          case "shm" -> new ShmTransportProvider();
          case "tls" ->
              new TlsProvider(
                  new TcpTransportProvider(), n -> AUTHORITY.tls(folder, "default", n), 0);
          default -> new TcpTransportProvider();
        };
    Node node =
        MessagingNode.open(
            NodeConfig.builder(id)
                .peers(directory)
                .listen(transport.equals("shm") ? "*" : "127.0.0.1:0")
                .idleStrategy(waiting)
                .connectTimeout(TestNodes.PATIENCE)
                .sendTimeout(TestNodes.PATIENCE)
                .requestTimeout(TestNodes.PATIENCE)
                .build(),
            1,
            provider);
    directory.put(id, node.address());
    return node;
  }

  private void beSlow() {
    long untilNs = System.nanoTime() + CALL_NS;
    while (!over.get() && System.nanoTime() - untilNs < 0) {
      Thread.onSpinWait();
    }
    calls.incrementAndGet();
  }

  private void saturate(Node sender) {
    while (!over.get()) {
      sender.send(1, new Slow(1, 2, 3, 4, 5, 6));
    }
  }

  /** Returns how many slow handlers were called meanwhile. */
  private long ask(Node other) {
    long before = calls.get();
    assertThat(other.request(1, new Ask(before), Told.class, TestNodes.PATIENCE).number())
        .isEqualTo(before);
    return calls.get() - before;
  }
}
