package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.util.Queue;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.LogRecorder;
import org.ringwire.testing.NodeWatcher;

/** Nothing is logged per message, and what goes wrong again and again is logged now and then. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("handler of messageType")
class LoggingTest {

  record Ask(long number) {}

  private static final Logger LOGGER = Logger.getLogger("org.ringwire");

  private final TestNodes nodes = new TestNodes("tcp");
  private final Level before = LOGGER.getLevel();
  private final LogRecorder recorder = LogRecorder.of(LOGGER, Level.ALL);
  private final Queue<LogRecord> records = recorder.records();

  @BeforeEach
  void listen() {
    LOGGER.setLevel(Level.ALL);
  }

  @AfterEach
  void end() {
    nodes.close();
    recorder.close();
    LOGGER.setLevel(before);
  }

  /** A node that logs nothing of a sender whose thread does not run for a while. */
  private Node open(int id) {
    return nodes.open(id, settings -> settings.encodeTimeout(TestNodes.PATIENCE));
  }

  @Test
  void shouldLogNothingForMessagesWhateverTheLevel() {
    Node one = open(1);
    Node two = open(2);
    two.handle(
        Ask.class,
        (ask, exchange) -> {
          if (exchange.isRequest()) {
            exchange.reply(ask);
          }
        });
    one.send(2, new Ask(-1));
    await("connected", () -> two.metrics().messagesHandled() == 1);
    records.clear();
    for (int count = 0; count < 1000; count++) {
      one.request(2, new Ask(count), Ask.class, TestNodes.PATIENCE);
      one.send(2, new Ask(count));
    }
    await("all", () -> two.metrics().messagesHandled() == 2001);
    assertThat(records).isEmpty();
  }

  @Test
  void shouldLogAHandlerThatAlwaysFailsAtMostOnceASecondWithTheNumberLeftOut() {
    Node one = open(1);
    Node two = open(2);
    two.handle(
        Ask.class,
        (ask, exchange) -> {
          throw new IllegalStateException("on purpose");
        });
    long startNs = System.nanoTime();
    int sent = 5000;
    for (int count = 0; count < sent; count++) {
      one.send(2, new Ask(count));
    }
    await("all", () -> two.metrics().handlerFailures() == sent);
    long allNs = System.nanoTime(); // a line was logged before, however long connecting took
    await("a second", () -> System.nanoTime() - allNs >= 1_100_000_000L);
    one.send(2, new Ask(sent));
    await("the last", () -> two.metrics().handlerFailures() == sent + 1);
    await("logged", () -> leftOut() + records.size() == sent + 1 || records.size() > 1);
    long seconds = (System.nanoTime() - startNs) / 1_000_000_000L;
    assertThat(records.size()).isBetween(2, (int) seconds + 2);
    assertThat(leftOut()).isGreaterThan(sent / 2);
  }

  @Test
  void shouldNameATypeThatNobodyHandlesOnce() {
    Node one = open(1);
    Node two = open(2);
    int sent = 1000;
    for (int count = 0; count < sent; count++) {
      one.send(2, new Ask(count));
    }
    await("all", () -> two.metrics().unhandled() == sent);
    assertThat(records)
        .filteredOn(logged -> logged.getLevel().equals(Level.WARNING))
        .singleElement()
        .satisfies(logged ->
            assertThat(logged.getMessage())
                .contains("no handler: messageType=" + Ask.class.getName(), "handle(...)"));
  }

  private long leftOut() {
    return records.stream()
        .map(LogRecord::getMessage)
        .filter(text -> text.contains(" reports left out)"))
        .mapToLong(text ->
            Long.parseLong(
                text.substring(text.lastIndexOf('(') + 1, text.indexOf(" reports left out)"))))
        .sum();
  }
}
