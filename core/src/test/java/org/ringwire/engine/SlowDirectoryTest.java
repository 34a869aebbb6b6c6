package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Exchange;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeListener;
import org.ringwire.RequestTimeoutException;
import org.ringwire.RetainedExchange;
import org.ringwire.SendStatus;
import org.ringwire.engine.services.Transports;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.ForwardingTransport;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.TransportProvider;
import org.ringwire.wire.FrameLayout;

/** A directory takes its time, as that of a service which has just gone, for instance. */
@ExtendWith(NodeWatcher.class)
class SlowDirectoryTest {

  record Ask(long number) {}

  private static final int PEER = 600;

  /** No link comes of an attempt to connect to this. */
  private static final String NOWHERE = "127.0.0.1:1";

  /** It is asked when the first life connects, and the next, and once that one has not answered. */
  private static final int SLOW_QUESTION = 3;

  private final TestNodes nodes = new TestNodes("tcp");
  private final AtomicInteger questions = new AtomicInteger();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch answer = new CountDownLatch(1);
  private volatile @Nullable RetainedExchange retained;

  private final NodeDirectory directory =
      nodeId -> {
        if (nodeId == PEER && questions.incrementAndGet() == SLOW_QUESTION) {
          lookUp();
        }
        return nodes.directory().address(nodeId);
      };

  private final NodeDirectory slowNow =
      nodeId -> {
        if (nodeId == PEER && questions.incrementAndGet() > 1) {
          lookUp();
        }
        return nodeId == PEER ? NOWHERE : nodes.directory().address(nodeId);
      };

  @AfterEach
  void end() {
    answer.countDown();
    RetainedExchange kept = retained;
    if (kept != null) {
      kept.close();
    }
    nodes.close();
  }

  private void lookUp() {
    asked.countDown();
    try {
      assertThat(answer.await(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void keep(Exchange exchange) {
    if (exchange.isRequest()) {
      retained = exchange.retain();
    }
  }

  /** Deadlines, and signs of life for all peers, which would take this node for dead. */
  @Test
  void shouldKeepNothingElseThatTheTimerDoesWaiting() throws Exception {
    Node one = nodes.open(1, settings -> settings.peers(directory));
    Node two = nodes.open(2);
    two.handle(Ask.class, (ask, exchange) -> keep(exchange));
    one.send(2, new Ask(0));
    try (RawPeer first = RawPeer.join(one, PEER);
        RawPeer next = RawPeer.connect(one)) {
      next.send(RawPeer.hello(PEER, PEER + 2L, "default").encode());
      assertThat(asked.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

      CompletableFuture<Ask> late =
          one.requestAsync(2, new Ask(1), Ask.class, Duration.ofMillis(50));

      assertThatThrownBy(() -> late.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .hasCauseInstanceOf(RequestTimeoutException.class);
      first.awaitEnd();
      answer.countDown();
      next.await(FrameLayout.WELCOME);
    }
  }

  private static TransportProvider silent() {
    return ForwardingTransport.provider(
        "tcp",
        config ->
            new ForwardingTransport(Transports.named("tcp").open(config)) {
              @Override
              public void connect(String address, LinkHandler handler) {
                if (!address.equals(NOWHERE)) {
                  super.connect(address, handler);
                }
              }
            });
  }

  /** It is asked again while an attempt brings no link; what ends meanwhile is told, and freed. */
  @Test
  void shouldKeepNobodyFromHearingOfTheEndOfAnotherConnection() throws Exception {
    CompletableFuture<LossReport> ended = new CompletableFuture<>();
    NodeListener listener =
        new NodeListener() {
          @Override
          public void lost(LossReport report) {
            ended.complete(report);
          }
        };
    Node one = nodes.open(1, settings -> settings.peers(slowNow).listener(listener), silent());
    Node two = nodes.open(2);
    two.handle(Ask.class, (ask, exchange) -> keep(exchange));
    one.send(2, new Ask(0));
    assertThat(one.trySend(PEER, new Ask(1))).isEqualTo(SendStatus.NOT_CONNECTED);
    assertThat(asked.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

    two.close();

    LossReport report = ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(report.nodeId()).isEqualTo(2);
    assertThat(report.isClean()).isTrue();
  }
}
