package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.CloseReport;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.ring.NativeMemory;
import org.ringwire.testing.NodeWatcher;

/** A node that is closed by an inline handler, which keeps the thread that ends its links. */
@ExtendWith(NodeWatcher.class)
class KeptReaderTest {

  private static final Duration SOON = Duration.ofMillis(1);

  private final List<String> memoryBefore = NativeMemory.openOwners();
  private final TestNodes nodes = new TestNodes("tcp");
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final CompletableFuture<CloseReport> report = new CompletableFuture<>();
  private Node closed;
  private Node peer;

  record Work(long number) {}

  record End() {}

  @BeforeEach
  void open() {
    closed = nodes.open(1);
    peer = nodes.open(2);
    closed.handle(
        End.class, Dispatch.INLINE, (end, exchange) -> report.complete(closed.close(SOON)));
    peer.handle(
        Work.class,
        Dispatch.BLOCKING,
        (work, exchange) -> {
          boolean _ = goOn.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        });
    closed.send(2, new Work(1));
  }

  @AfterEach
  void close() {
    goOn.countDown();
    nodes.close();
  }

  @Test
  void shouldFreeWhatIsLeftWhenItGoesOn() throws Exception {
    peer.send(1, new End());
    report.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    goOn.countDown();
    nodes.close();

    await(
        "its memory is given back",
        () -> {
          List<String> left = new ArrayList<>(NativeMemory.openOwners());
          memoryBefore.forEach(left::remove);
          return left.isEmpty();
        });
  }

  /** Its connection has not ended by then, and nobody knows what becomes of its message. */
  @Test
  void shouldNotBeTakenForCleanByThen() throws Exception {
    peer.send(1, new End());
    CloseReport early = report.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

    assertThat(early.isComplete()).isFalse();
    assertThat(early.isClean()).isFalse();
  }
}
