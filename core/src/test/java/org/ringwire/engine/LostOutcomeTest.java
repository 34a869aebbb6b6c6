package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.RequestTimeoutException;
import org.ringwire.RetainedExchange;
import org.ringwire.engine.request.PendingRequest;
import org.ringwire.engine.request.PendingRequests;
import org.ringwire.testing.NodeWatcher;

/**
 * Requests whose end was begun by a thread that then came no further, as its stack has ended: who
 * waits for the outcome does not do so for ever.
 */
@ExtendWith(NodeWatcher.class)
class LostOutcomeTest {

  record Ask(long number) {}

  private static final int REQUESTS = 8;
  private static final int SLOTS = 2 * REQUESTS;

  private final TestNodes nodes = new TestNodes("tcp");
  private final Queue<RetainedExchange> asked = new ConcurrentLinkedQueue<>();
  private MessagingNode one;

  @BeforeEach
  void open() {
    one = (MessagingNode) nodes.open(1, settings -> settings.maxRequests(REQUESTS));
    nodes
        .open(2)
        .handle(
            Ask.class,
            (ask, exchange) -> {
              if (ask.number() == 0) {
                asked.add(exchange.retain()); // is not answered
              } else {
                exchange.reply(ask);
              }
            });
    assertAnswers();
  }

  @AfterEach
  void end() {
    asked.forEach(RetainedExchange::close);
    nodes.close();
  }

  private void assertAnswers() {
    assertThat(one.request(2, new Ask(7), Ask.class, PATIENCE)).isEqualTo(new Ask(7));
  }

  /** Wins the right to end the only request that there is, and does no more. */
  private void loseOutcome() {
    await("the request", () -> asked.size() == 1);
    PendingRequests requests = one.connections().services().requests();
    int lost = 0;
    for (int index = 0; index < SLOTS; index++) {
      PendingRequest slot = requests.slot(index);
      long id = slot.id();
      lost += id > 0 && slot.tryEnd(id) ? 1 : 0;
    }
    assertThat(lost).isEqualTo(1);
  }

  private void assertGoesOn() {
    assertThat(one.connections().services().requests().outstanding()).isZero();
    for (int count = 0; count < 3 * SLOTS; count++) {
      assertAnswers();
    }
  }

  @Test
  void shouldEndTheWaitOfAThread() {
    CompletableFuture<Ask> answer =
        CompletableFuture.supplyAsync(
            () -> one.request(2, new Ask(0), Ask.class, PATIENCE.dividedBy(5)));
    loseOutcome();
    assertThatThrownBy(() -> answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(RequestTimeoutException.class);
    assertGoesOn();
  }

  @Test
  void shouldEndTheFuture() {
    CompletableFuture<Ask> answer = one.requestAsync(2, new Ask(0), Ask.class, PATIENCE);
    loseOutcome();
    assertThatThrownBy(() -> answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(MessagingException.class)
        .hasMessageContaining("the outcome was lost");
    await("its slot is free", () -> one.connections().services().requests().outstanding() == 0);
    assertGoesOn();
  }

  @Test
  void shouldEndTheFutureAlsoIfTheNodeIsClosedBeforeTheOutcomeIsMissed() {
    CompletableFuture<Ask> answer = one.requestAsync(2, new Ask(0), Ask.class, PATIENCE);
    loseOutcome();
    one.close(Duration.ZERO);
    assertThatThrownBy(() -> answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(MessagingException.class)
        .hasMessageContaining("the outcome was lost");
  }
}
