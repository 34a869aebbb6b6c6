package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.Closeable;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ringwire.Dispatch;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeListener;
import org.ringwire.NodeUnreachableException;
import org.ringwire.codec.Codec;
import org.ringwire.codec.Message;
import org.ringwire.codec.runtime.EvolvedCodec;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.Sources;

/**
 * A node whose reading thread is busy with one peer, whose handshake takes long or for whose first
 * message it generates a codec, keeps the others, whom it cannot read meanwhile.
 */
@ExtendWith(NodeWatcher.class)
class BusyWithHelloTest {

  private static final Duration KEEP_ALIVE = Duration.ofMillis(1800);
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final int TRIES = 3;
  private static final int SILENT = 99;

  private static final String OTHER_VERSION =
      """
      package v;
      public interface Types {
        @org.ringwire.codec.Message(name = "changed") record Changed(int first) {}
      }
      """;

  record Ask(long number) {}

  @Message(name = "changed")
  record Changed(int first, int second) {}

  private final Queue<LossReport> losses = new ConcurrentLinkedQueue<>();

  private final NodeListener listener = new Losses(losses);

  /** What holds the reading thread up. */
  enum Work {
    HANDSHAKE,
    MESSAGE,
    MESSAGE_TO_A_CLIENT
  }

  /** Holds up who generates the first codec that reads another version of one of its classes. */
  private static final class Gate extends ClassLoader implements Closeable {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);

    Gate() {
      super(Codec.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals(EvolvedCodec.class.getName())) {
        pass();
      }
      return super.loadClass(name, resolve);
    }

    void pass() {
      entered.countDown();
      try {
        assertThat(release.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      release.countDown();
    }
  }

  private NodeConfig.Builder kept(NodeConfig.Builder settings) {
    return settings.keepAlive(KEEP_ALIVE).listener(listener);
  }

  /** Whose threads do not run for so long is silent, too: so it may fail, though not every time. */
  @ParameterizedTest
  @EnumSource
  void shouldKeepItsPeersWhileItIsBusyWithAnother(Work work) throws Exception {
    for (int tried = 1; !keepsItsPeers(work); tried++) {
      assertThat(tried).as("%s", losses).isLessThan(TRIES);
      losses.clear();
    }
  }

  private boolean keepsItsPeers(Work work) throws Exception {
    boolean isClient = work == Work.MESSAGE_TO_A_CLIENT;
    try (TestNodes nodes = new TestNodes("tcp");
        Gate gate = new Gate()) { // opens before the nodes close, which wait for that
      Node one = nodes.open(1, this::kept);
      Node two =
          isClient
              ? nodes.added(Node.open(kept(nodes.builder(2)).connectTimeout(SHORT).build()))
              : nodes.open(2, settings -> kept(settings).peers(directory(nodes, work, gate)));
      Class<?> changed =
          Sources.compile("v.Types", OTHER_VERSION, gate).loadClass("v.Types$Changed");
      two.handle(changed, Dispatch.INLINE, (message, exchange) -> {});
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      one.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      assertThat(two.request(1, new Ask(1), Ask.class, PATIENCE).number()).isEqualTo(1);
      Node other = nodes.open(3);
      other.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      if (isClient) {
        assertThat(two.request(3, new Ask(2), Ask.class, PATIENCE).number()).isEqualTo(2);
      }
      CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> sendChanged(other));
      assertThat(gate.entered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      CompletableFuture<Ask> waiting = one.requestAsync(2, new Ask(3), Ask.class, PATIENCE);
      awaitSilentPeersLost(3);
      if (waiting.isDone() || losses.stream().anyMatch(loss -> loss.nodeId() < SILENT)) {
        return false;
      }
      gate.release.countDown();
      assertThat(waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).number()).isEqualTo(3);
      assertThat(one.metrics().connectionEnds()).isEmpty();
      sent.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return true;
    }
  }

  /** Looked into by the thread that reads a HELLO. */
  private static NodeDirectory directory(TestNodes nodes, Work work, Gate gate) {
    return id -> {
      if (id == 3 && work == Work.HANDSHAKE) {
        gate.pass();
      }
      return nodes.directory().address(id);
    };
  }

  private static void sendChanged(Node other) {
    try {
      other.send(2, new Changed(1, 2));
    } catch (NodeUnreachableException e) {
      assertThat(e).as("its handshake has perhaps timed out").isNotNull();
    }
  }

  /** A clock: by the end another node has waited for its keep-alive time so often. */
  private void awaitSilentPeersLost(int count) throws Exception {
    try (TestNodes clock = new TestNodes("tcp")) {
      Node node = clock.open(1, this::kept);
      for (int id = SILENT; id < SILENT + count; id++) {
        int silent = id;
        try (RawPeer _ = RawPeer.join(node, silent)) {
          await("lost", () -> losses.stream().anyMatch(loss -> loss.nodeId() == silent));
        }
      }
    }
  }
}
