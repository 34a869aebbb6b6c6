package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.Node;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;

/** What a node keeps of others that it was connected to and that have closed: nothing. */
@ExtendWith(NodeWatcher.class)
class ClosedPeersTest {

  record Question(int number) {}

  record Answer(int number) {}

  /** Longer than anybody waits here. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofHours(1);

  private final List<WeakReference<Object>> gone = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({"loopback, 150", "tcp, 70"})
  void shouldKeepNothingOfPeersThatHaveClosed(String transport, int peers) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node living =
          nodes.open(1, it -> it.idleTime(Duration.ofMillis(20)).connectTimeout(CONNECT_TIMEOUT));
      answer(living);
      for (int id = 2; id < 2 + peers; id++) {
        Connection _ =
            comeAndGo(
                living, nodes, id, transport.equals("tcp") ? "127.0.0.1:0" : "closed-peer-" + id);
      }

      awaitNothingLeft();
    }
  }

  /** What remembers a link that has ended remembers no more than its own side. */
  @Test
  void shouldNotReachThePeerThroughALinkThatHasEnded() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node living = nodes.open(1, settings -> settings.connectTimeout(CONNECT_TIMEOUT));
      answer(living);
      Connection remembered = comeAndGo(living, nodes, 2, "closed-peer");
      gone.removeIf(reference -> reference.refersTo(remembered));
      gone.removeIf(reference -> reference.refersTo(remembered.outbound()));
      gone.removeIf(reference -> reference.refersTo(remembered.inbound()));

      awaitNothingLeft();
      assertThat(remembered.isEnded()).isTrue();
    }
  }

  private void awaitNothingLeft() {
    await(
        "nothing is left of them",
        () -> {
          System.gc();
          gone.removeIf(reference -> reference.refersTo(null));
          return gone.isEmpty();
        });
  }

  /**
   * The two connect, in both directions, and one of them closes.
   *
   * @return that of the one that lives on
   */
  private Connection comeAndGo(Node living, TestNodes nodes, int id, String listen) {
    try (Node node = Node.open(nodes.builder(id).listen(listen).build())) {
      nodes.directory().put(id, Objects.requireNonNull(node.address()));
      answer(node);
      assertThat(node.request(1, new Question(id), Answer.class, PATIENCE).number()).isEqualTo(id);
      assertThat(living.request(id, new Question(id), Answer.class, PATIENCE).number())
          .isEqualTo(id);
      note(node);
      note(((MessagingNode) node).connections());
      for (Node side : List.of(node, living)) {
        for (Connection connection : ((MessagingNode) side).connections().all()) {
          note(connection);
          note(connection.outbound());
          note(connection.inbound());
        }
      }
      return Objects.requireNonNull(((MessagingNode) living).connections().get(id));
    }
  }

  private void note(@Nullable Object object) {
    if (object != null) {
      gone.add(new WeakReference<>(object));
    }
  }

  private static void answer(Node node) {
    node.handle(
        Question.class, (question, exchange) -> exchange.reply(new Answer(question.number())));
  }
}
