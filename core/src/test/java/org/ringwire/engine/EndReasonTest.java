package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeListener;
import org.ringwire.RetainedExchange;
import org.ringwire.codec.Codec;
import org.ringwire.codec.DecodingException;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Tap;
import org.ringwire.transport.TappedTransport;
import org.ringwire.transport.tcp.TcpTransportProvider;
import org.ringwire.wire.CloseReason;

/**
 * Why a connection has ended is the same for both sides, though its two links end one after the
 * other, and several threads read. So each test ends many connections.
 */
@ExtendWith(NodeWatcher.class)
class EndReasonTest {

  private static final int ROUNDS = 100;
  private static final int READERS = 3;

  record Refused(long number) {}

  record Ask(long number) {}

  /** Encodes what it does not decode. */
  private static final class OneWayCodec implements Codec<Refused> {

    @Override
    public int length(Refused message) {
      return Long.BYTES;
    }

    @Override
    public void encode(Refused message, Writer writer) {
      writer.putLong(message.number());
    }

    @Override
    public Refused decode(Reader reader) {
      throw new DecodingException("on purpose: " + reader.getLong());
    }
  }

  /** Remembers how connections have ended. */
  private static final class Ends implements NodeListener {

    private final Queue<EndReason> reasons = new ConcurrentLinkedQueue<>();

    @Override
    public void lost(LossReport report) {
      reasons.add(report.reason());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp", "shm"})
  void shouldBeTheBrokenRuleAtBothSides(String transport) {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(9, Refused.class, new OneWayCodec());
    Ends sender = new Ends();
    Ends receiver = new Ends();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one =
          nodes.open(1, settings -> settings.catalog(catalog).listener(sender).ioThreads(READERS));
      Node two = nodes.open(2, settings -> settings.catalog(catalog).listener(receiver));
      two.handle(Refused.class, (refused, exchange) -> {});
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      for (int round = 1; round <= ROUNDS; round++) {
        assertThat(one.request(2, new Ask(round), Ask.class, PATIENCE)).isEqualTo(new Ask(round));
        one.send(2, new Refused(round));
        int ends = round;
        await("one sees it", () -> sender.reasons.size() == ends);
        await("two sees it", () -> receiver.reasons.size() == ends);
      }
    }
    assertThat(receiver.reasons).containsOnly(EndReason.RULE_BROKEN);
    assertThat(sender.reasons).containsOnly(EndReason.RULE_BROKEN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp", "shm"})
  void shouldBeTheCloseOfAPeerThatWaitsForNothing(String transport) {
    Ends ends = new Ends();
    Queue<CompletableFuture<Ask>> unanswered = new ConcurrentLinkedQueue<>();
    Queue<RetainedExchange> retained = new ConcurrentLinkedQueue<>();
    int rounds = ROUNDS / 4;
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.listener(ends).ioThreads(READERS));
      for (int round = 1; round <= rounds; round++) {
        Node two = nodes.open(2);
        two.handle(Ask.class, (ask, exchange) -> retained.add(exchange.retain()));
        unanswered.add(one.requestAsync(2, new Ask(round), Ask.class, PATIENCE));
        int asked = round;
        await("the request", () -> retained.size() == asked);
        two.close(Duration.ofMillis(20));
        await("one sees it", () -> ends.reasons.size() == asked);
      }
    }
    retained.forEach(RetainedExchange::close);
    assertThat(unanswered).allMatch(CompletableFuture::isCompletedExceptionally);
    assertThat(ends.reasons).hasSize(rounds).containsOnly(EndReason.PEER_CLOSED);
  }

  /** What its peer says last is read when the end of its other link has been heard. */
  private static final class ReadLast extends Tap {

    private final CountDownLatch otherEnded = new CountDownLatch(1);
    private volatile boolean waits;

    @Override
    public void received(MemorySegment memory, long offset, long length) {
      if (waits) {
        await("the end of the other link", () -> otherEnded.getCount() == 0);
      }
      super.received(memory, offset, length);
    }

    /** The other link, which another thread reads. */
    Tap other() {
      return new Tap() {
        @Override
        public void closed(@Nullable Throwable cause) {
          super.closed(cause);
          otherEnded.countDown();
        }
      };
    }
  }

  @Test
  void shouldBeTheCloseOfAPeerThatHasNoTimeThoughOneLinkIsReadLast() {
    assertThat(endThatIsReadLast(two -> two.close(Duration.ZERO))).isEqualTo(EndReason.PEER_CLOSED);
  }

  @Test
  void shouldBeTheDismissalThatWasNotOverInTimeThoughOneLinkIsReadLast() {
    assertThat(
            endThatIsReadLast(two ->
                two.connections()
                    .all()
                    .getFirst()
                    .drain(EndReason.DISMISSED, CloseReason.DISMISSED, System.nanoTime())))
        .isEqualTo(EndReason.DISMISSED);
  }

  /** How a connection ends for node 1 when node 2 ends it with a message in its hands. */
  private static EndReason endThatIsReadLast(Consumer<MessagingNode> end) {
    Ends ends = new Ends();
    Queue<RetainedExchange> retained = new ConcurrentLinkedQueue<>();
    ReadLast fromTwo = new ReadLast();
    Queue<Tap> taps = new ConcurrentLinkedQueue<>(List.of(fromTwo.other(), fromTwo));
    Duration patience = Duration.ofMillis(100);
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one =
          nodes.open(
              1,
              settings -> settings.listener(ends).ioThreads(READERS),
              TappedTransport.provider(new TcpTransportProvider(), taps::remove));
      Node two =
          nodes.open(2, settings -> settings.requestTimeout(patience).closeTimeout(patience));
      two.handle(
          Ask.class,
          (ask, exchange) -> {
            if (ask.number() == 1) {
              exchange.reply(ask);
            } else {
              retained.add(exchange.retain());
            }
          });
      assertThat(one.request(2, new Ask(1), Ask.class, PATIENCE)).isEqualTo(new Ask(1));
      one.send(2, new Ask(2));
      await("the message", () -> retained.size() == 1);
      fromTwo.waits = true;
      end.accept((MessagingNode) two);
      await("one sees it", () -> ends.reasons.size() == 1);
    } finally {
      retained.forEach(RetainedExchange::close);
    }
    return ends.reasons.element();
  }
}
