package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.Dispatch;
import org.ringwire.IdleStrategy;
import org.ringwire.Node;
import org.ringwire.testing.NodeWatcher;

/** Many threads ask over one connection: none of their requests stays where nobody writes it. */
@ExtendWith(NodeWatcher.class)
class CrowdRequestsTest {

  private static final int THREADS = 24;
  private static final int REQUESTS = 500; // of each
  private static final int LONG_ANSWER = 40_000;

  record Question(long number, boolean wantsMuch) {}

  @SuppressWarnings("ArrayRecordComponent") // compared by its length only
  record Answer(long number, byte[] rest) {}

  /**
   * Asks again and again.
   *
   * @return the number of answers
   */
  private static int ask(Node node, int thread) {
    int answers = 0;
    for (int i = 0; i < REQUESTS; i++) {
      long number = (long) thread * REQUESTS + i;
      boolean wantsMuch = i % 50 == thread; // now and then a long one is among the answers
      Answer answer =
          node.request(2, new Question(number, wantsMuch), Answer.class, Duration.ofSeconds(10));
      assertThat(answer.number()).isEqualTo(number);
      assertThat(answer.rest()).hasSize(wantsMuch ? LONG_ANSWER : 0);
      answers++;
    }
    return answers;
  }

  @ParameterizedTest
  @CsvSource({
    "tcp, true, false",
    "tcp, false, false",
    "tcp, true, true",
    "shm, true, false",
    "shm, false, true",
    "loopback, false, false"
  })
  void shouldAnswerEachRequestOfACrowd(String transport, boolean inline, boolean adapts)
      throws Exception {
    IdleStrategy idle = adapts ? IdleStrategy.adaptive() : IdleStrategy.parking();
    try (TestNodes nodes = new TestNodes(transport);
        ExecutorService askers = Executors.newFixedThreadPool(THREADS)) {
      Node one = nodes.open(1, settings -> settings.idleStrategy(idle));
      Node two = nodes.open(2, settings -> settings.idleStrategy(idle));
      two.handle(
          Question.class,
          inline ? Dispatch.INLINE : Dispatch.POOLED,
          (question, exchange) ->
              exchange.reply(
                  new Answer(question.number(), new byte[question.wantsMuch() ? LONG_ANSWER : 0])));
      List<Future<Integer>> asked = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int asker = thread;
        asked.add(askers.submit(() -> ask(one, asker)));
      }
      try {
        for (Future<Integer> answers : asked) {
          assertThat(answers.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(REQUESTS);
        }
      } finally {
        askers.shutdownNow(); // closing would wait for those that still ask
      }
    }
  }
}
