package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.RequestTimeoutException;
import org.ringwire.RetainedExchange;
import org.ringwire.engine.AttemptWatch;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.LinkHandler;

/** The directory says another address while an attempt to connect is under way at the old one. */
@ExtendWith(NodeWatcher.class)
class MovedNodeTest {

  record Ask(long number) {}

  /** Attempts are looked at six times in it; nobody is lost meanwhile whose thread has to wait. */
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(3);

  private final TestNodes nodes = new TestNodes("tcp");
  private final Queue<LinkHandler> waiting = new ConcurrentLinkedQueue<>();

  @AfterEach
  void end() {
    nodes.close();
  }

  private MessagingNode open(NodeDirectory directory, Duration keepAlive) {
    NodeConfig config =
        nodes
            .builder(1)
            .peers(directory)
            .connectTimeout(PATIENCE.multipliedBy(2)) // longer than this test waits
            .keepAlive(keepAlive)
            .build();
    return (MessagingNode)
        nodes.added(MessagingNode.open(config, 1, DeafTransport.provider(waiting)));
  }

  /** Node 2 turns up elsewhere while a request waits at the old address, and answers it. */
  private Node turnUpElsewhere(Node one) throws Exception {
    CompletableFuture<Ask> answer = one.requestAsync(2, new Ask(1), Ask.class, PATIENCE);
    await("the attempt", () -> waiting.size() == 1);
    Node two = nodes.open(2);
    two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
    assertThat(answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(new Ask(1));
    return two;
  }

  @Test
  void shouldBeReachedWhereItIsByWhoHasBegunToWait() throws Exception {
    nodes.directory().put(2, DeafTransport.SILENT);
    Node one = open(nodes.directory(), KEEP_ALIVE);
    one.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
    Node two = turnUpElsewhere(one);
    assertThat(two.request(1, new Ask(2), Ask.class, PATIENCE)).isEqualTo(new Ask(2));
  }

  @Test
  void shouldHearNothingOfALinkThatComesAfterTheAttemptWasGivenUp() throws Exception {
    nodes.directory().put(2, DeafTransport.SILENT);
    Node one = open(nodes.directory(), KEEP_ALIVE);
    Node two = turnUpElsewhere(one);
    DeafTransport.comeLate(waiting.remove(), two);
    assertThat(one.request(2, new Ask(2), Ask.class, PATIENCE)).isEqualTo(new Ask(2));
    assertThat(two.metrics().connectionEnds()).isEmpty();
    assertThat(one.metrics().connectionEnds()).isEmpty();
  }

  @Test
  void shouldBeTriedWhereItWasUnlessTheDirectorySaysWhereItIs() {
    NodeDirectory directory =
        nodeId -> {
          String address = nodes.directory().address(nodeId);
          if ("fails".equals(address)) {
            throw new IllegalStateException("on purpose");
          }
          return address;
        };
    nodes.directory().put(2, DeafTransport.SILENT);
    Connections connections = open(directory, Duration.ofHours(1)).connections();
    Connection connection = ((ConnectResult.Begun) connections.connect(2)).connection();
    AttemptWatch attempts = new AttemptWatch(connections, Runnable::run);
    attempts.look(connection, System.nanoTime());
    nodes.directory().put(2, "fails");
    attempts.look(connection, System.nanoTime());
    nodes.directory().remove(2);
    attempts.look(connection, System.nanoTime());
    assertThat(connection.state()).isEqualTo(ConnectionState.CONNECTING);
    nodes.directory().put(2, "127.0.0.1:1");
    attempts.look(connection, System.nanoTime());
    assertThat(connection.isEnded()).isTrue();
    assertThat(connection.cause()).contains("tried=" + DeafTransport.SILENT);
  }

  @Test
  void shouldNotBeTriedWithoutRestWhateverTheDirectorySays() {
    AtomicInteger calls = new AtomicInteger();
    NodeDirectory restless = nodeId -> DeafTransport.SILENT + calls.incrementAndGet();
    Connections connections = open(restless, Duration.ofHours(1)).connections();
    AttemptWatch attempts = new AttemptWatch(connections, Runnable::run);
    int begun = 0;
    int rounds = 10_000;
    for (int round = 0; round < rounds; round++) {
      if (connections.connect(2) instanceof ConnectResult.Begun attempt) {
        begun++;
        attempts.look(attempt.connection(), System.nanoTime());
      }
    }
    assertThat(begun).isBetween(2, rounds / 10);
  }

  /** Deadlines and signs of life do not wait for it. */
  @Test
  void shouldNotKeepTheTimerHoweverLongTheDirectoryTakes() throws Exception {
    CountDownLatch asked = new CountDownLatch(2);
    CountDownLatch release = new CountDownLatch(1);
    NodeDirectory slow =
        nodeId -> {
          if (nodeId != 2) {
            return nodes.directory().address(nodeId);
          }
          asked.countDown();
          if (asked.getCount() == 0) { // not who begins the attempt
            await("the release", () -> release.getCount() == 0);
          }
          return DeafTransport.SILENT;
        };
    Queue<RetainedExchange> unanswered = new ConcurrentLinkedQueue<>();
    Node three = nodes.open(3);
    three.handle(
        Ask.class,
        (ask, exchange) -> {
          if (ask.number() == 0) {
            exchange.reply(ask);
          } else {
            unanswered.add(exchange.retain());
          }
        });
    Node one = open(slow, KEEP_ALIVE);
    assertThat(one.request(3, new Ask(0), Ask.class, PATIENCE)).isEqualTo(new Ask(0));
    CompletableFuture<Ask> never = one.requestAsync(2, new Ask(1), Ask.class, PATIENCE);
    assertThat(asked.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    CompletableFuture<Ask> late =
        one.requestAsync(3, new Ask(2), Ask.class, Duration.ofMillis(500));
    assertThatThrownBy(() -> late.get(PATIENCE.toSeconds() / 2, TimeUnit.SECONDS))
        .hasCauseInstanceOf(RequestTimeoutException.class);
    release.countDown();
    assertThat(never.cancel(false)).isTrue();
    await("the request that was late", () -> unanswered.size() == 1);
    unanswered.forEach(RetainedExchange::close);
  }
}
