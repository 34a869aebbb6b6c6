package org.ringwire.tools.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.await;

import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.Authentication;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.RetainedExchange;

/** One that asks, and a node that does not answer its first request. */
final class RequesterTest {

  private static final int PEER = 2;
  private static final int CAPACITY = 64;
  private static final int RESTS = 10; // more than one looks at what comes after an answer
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration TIMEOUT = Duration.ofMillis(300);

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final Gate gate = new Gate(1);
  private final Queue<RetainedExchange> unanswered = new ConcurrentLinkedQueue<>();
  private final SilentRequests silent = new SilentRequests(1);

  @TempDir private Path folder;

  private Node node;
  private Node peer;
  private SendLedger ledger;
  private Requester requester;

  @BeforeEach
  void open() {
    peer = Node.open(config(PEER));
    peer.handle(
        Messages.Question.class,
        (question, exchange) -> {
          if (question.number() > 0) {
            exchange.reply(new Messages.Answer(PEER, question.number()));
          } else {
            unanswered.add(exchange.retain());
          }
        });
    directory.put(PEER, String.valueOf(peer.address()));
    node = Node.open(config(1));
    node.connect(String.valueOf(peer.address()), PATIENCE); // which may take longer than a request
    SoakSpec spec =
        new SoakSpec(1, 0, 2, 1, 1, 1, CAPACITY, 1, folder.toString(), "127.0.0.1:0", "");
    ledger = SendLedger.create(spec);
    requester = new Requester(spec, node, ledger, gate, TIMEOUT, silent);
  }

  @AfterEach
  void close() {
    unanswered.forEach(RetainedExchange::close);
    node.close();
    peer.close();
    ledger.close();
  }

  private NodeConfig config(int id) {
    return NodeConfig.builder(id)
        .cluster("soak")
        .listen("127.0.0.1:0")
        .peers(directory)
        .authentication(Authentication.localOnly())
        .lookup(MethodHandles.lookup())
        .build();
  }

  @Test
  void shouldTellRequestThatGotNoAnswerThoughItsConnectionWentOn() {
    requester.reach(PEER, PATIENCE);

    assertThat(silent.count()).as("one, and more on a busy machine").isPositive();
    assertThat(silent.unexplained()).isEqualTo(silent.count());
    assertThat(requester.wrong()).isZero();
  }

  @Test
  void shouldExplainSilenceByLostConnectionsAndNodesThatStoodStill() {
    SilentRequests both = new SilentRequests(1);
    both.timedOut(2, System.nanoTime() - Duration.ofSeconds(20).toNanos());
    both.timedOut(3, System.nanoTime() - Duration.ofSeconds(20).toNanos());
    assertThat(both.unexplained()).isEqualTo(2);
    both.ended(2);
    assertThat(both.unexplained()).isOne();
    both.stalled(4, Duration.ofSeconds(1));
    assertThat(both.unexplained()).as("one of a node that was not asked").isOne();
    both.stalled(1, Duration.ofSeconds(1));
    assertThat(both.unexplained()).isZero();
  }

  @Test
  void shouldRestWhenTheLedgerIsFullAndSayThatItIs() throws Exception {
    Thread thread = Thread.ofPlatform().start(requester);
    gate.open();
    try {
      await("the last request", () -> ledger.begun(PEER, 1) == CAPACITY);
      AtomicInteger rests = new AtomicInteger();
      await(
          "rests",
          () ->
              thread.getState() == Thread.State.TIMED_WAITING && rests.incrementAndGet() == RESTS);
      gate.close(PATIENCE);

      assertThatThrownBy(() -> requester.reach(PEER, PATIENCE))
          .hasMessage("the ledger has no room for more requests to node 2");
    } finally {
      gate.end();
      thread.join();
    }
  }

  /** They have a pace of their own. */
  @Test
  void shouldHaveRoomForRequestsHoweverFewMessagesThereAre() {
    assertThat(SoakCommand.capacity(10, 1)).isGreaterThan(10L * 60 * Requester.MOST_PER_SECOND);
    assertThat(SoakCommand.capacity(10, 3000)).isGreaterThan(10L * 60 * 3000);
  }
}
