package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeListener;
import org.ringwire.RetainedExchange;
import org.ringwire.SendStatus;
import org.ringwire.testing.NodeWatcher;

/** Frames that are too long for the window, of more lengths than a receiver keeps at a time. */
@ExtendWith(NodeWatcher.class)
class ManyLengthsTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int LENGTHS = 3000;
  private static final int SHORTEST = 30 << 10;
  private static final int ROUNDS = 5;
  private static final int RESPONSES = 1400; // of which all fit maxBufferedBytes
  private static final int BEYOND_RESERVATION = 66 << 10;

  @SuppressWarnings("ArrayRecordComponent")
  record Block(byte[] bytes) {}

  record Ask(int number) {}

  private final TestNodes nodes = new TestNodes("tcp");
  private final List<LossReport> losses = new CopyOnWriteArrayList<>();
  private Node one;
  private Node two;

  @BeforeEach
  void open() {
    two = nodes.open(2, settings -> settings.window(64 << 10, 64 << 10));
    two.handle(Block.class, (block, exchange) -> {});
    NodeListener listener =
        new NodeListener() {
          @Override
          public void lost(LossReport report) {
            losses.add(report);
          }
        };
    one = nodes.open(1, settings -> settings.listener(listener));
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  /** Each attempt asks for the grant of another length, and the grant comes a round trip later. */
  @Test
  void shouldKeepTheLinkOfWhoTriesMessagesOfManyLengths() {
    one.send(2, new Block(new byte[1]), LIMIT);
    Block[] blocks = new Block[LENGTHS];
    for (int index = 0; index < LENGTHS; index++) {
      blocks[index] = new Block(new byte[SHORTEST + index * Long.BYTES]);
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (Block block : blocks) {
        one.trySend(2, block);
      }
    }
    one.send(2, new Block(new byte[SHORTEST]), LIMIT); // its grant comes behind all others
    assertThat(losses).isEmpty();
  }

  @Test
  void shouldSendMessagesOfManyLengthsThatAreTriedInTurn() {
    one.send(2, new Block(new byte[1]), LIMIT);
    List<Block> pending = new ArrayList<>();
    for (int index = 0; index < 100; index++) {
      pending.add(new Block(new byte[SHORTEST + index * Long.BYTES]));
    }
    await(
        "all are sent",
        () -> {
          pending.removeIf(block -> one.trySend(2, block) == SendStatus.ACCEPTED);
          return pending.isEmpty();
        });
    assertThat(losses).isEmpty();
  }

  /**
   * All are ready at the same time, and each waits for a grant of the requester, who has little.
   */
  @Test
  void shouldKeepTheLinkOfWhoAnswersManyRequestsWithLongResponses() throws Exception {
    List<RetainedExchange> exchanges = new CopyOnWriteArrayList<>();
    CountDownLatch asked = new CountDownLatch(RESPONSES);
    two.handle(
        Ask.class,
        (ask, exchange) -> {
          exchanges.add(exchange.retain());
          asked.countDown();
        });
    List<CompletableFuture<Integer>> lengths = new ArrayList<>();
    for (int index = 0; index < RESPONSES; index++) {
      lengths.add(
          one.requestAsync(2, new Ask(index), Block.class, LIMIT)
              .thenApply(answer -> answer.bytes().length));
    }
    assertThat(asked.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    Block block = new Block(new byte[BEYOND_RESERVATION]);
    CountDownLatch busy = new CountDownLatch(1);
    one.handle(Ask.class, Dispatch.INLINE, (ask, exchange) -> uninterruptibly(busy));
    two.send(1, new Ask(0), LIMIT);
    for (RetainedExchange exchange : exchanges) {
      exchange.reply(block);
      exchange.close();
    }
    busy.countDown();
    for (CompletableFuture<Integer> length : lengths) {
      assertThat(length.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(BEYOND_RESERVATION);
    }
    assertThat(losses).isEmpty();
  }

  private static void uninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    boolean over = false;
    while (!over) {
      try {
        latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
        over = true;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
