package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.time.LocalDate;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.CloseReport;
import org.ringwire.Dispatch;
import org.ringwire.EncodingException;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.RemoteHandlerException;
import org.ringwire.RequestTimeoutException;
import org.ringwire.SendStatus;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** What messages of exceptions say of the cause, and of what to do next. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors({"on purpose", "response length out of range"})
class ErrorTextsTest {

  private final TestNodes nodes = new TestNodes("tcp");

  record Ask(long number) {}

  record Block(String text) {}

  record Day(LocalDate date) {}

  /** A class without a codec of its own. */
  static final class Odd {}

  /** Fails where it is asked for the length. */
  private static final class OddCodec implements Codec<Odd> {
    @Override
    public int length(Odd message) {
      throw new IllegalArgumentException("no length, on purpose");
    }

    @Override
    public void encode(Odd message, Writer writer) {}

    @Override
    public Odd decode(Reader reader) {
      return new Odd();
    }
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void shouldSayThatTheResponseIsTooLong() {
    Node one = nodes.open(1);
    nodes
        .open(2, settings -> settings.maxMessageLength(1000))
        .handle(Ask.class, (ask, exchange) -> exchange.reply(new Block("x".repeat(2000))));
    assertThatThrownBy(() -> one.request(2, new Ask(1), Block.class, PATIENCE))
        .isInstanceOf(RemoteHandlerException.class)
        .hasMessageContaining("response length out of range")
        .hasMessageContaining("maxMessageLength=1000");
  }

  @Test
  void shouldSayWhichRequestWasNotAccepted() {
    CountDownLatch release = new CountDownLatch(1);
    Node one = nodes.open(1);
    nodes
        .open(2, settings -> settings.window(64 << 10, 64 << 10))
        .handle(
            Ask.class,
            (ask, exchange) ->
                assertThat(release.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue());
    one.send(2, new Ask(0));
    while (one.trySend(2, new Ask(1)) == SendStatus.ACCEPTED) {}
    assertThatThrownBy(() -> one.request(2, new Ask(2), Block.class, Duration.ofMillis(20)))
        .isInstanceOf(RequestTimeoutException.class)
        .hasMessageContaining("request not accepted in time: nodeId=2 messageType=")
        .hasMessageContaining("Ask status=BACK_PRESSURED");
    release.countDown();
  }

  @Test
  void shouldSayWhyALengthIsNotKnown() {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(Odd.class, new OddCodec());
    Node one = nodes.open(1, settings -> settings.catalog(catalog));
    assertThatThrownBy(() -> one.send(1, new Odd()))
        .isInstanceOf(EncodingException.class)
        .hasMessageContaining("no length, on purpose");
  }

  @Test
  void shouldNameTheMessageThatNeedsACodec() {
    assertThatThrownBy(() -> new MessageCatalog().typeOf(Day.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("component date")
        .hasMessageContaining(
            "register a codec of your own for the whole message, " + Day.class.getName());
  }

  @Test
  void shouldNameTheWayToReplyLater() {
    Node one = nodes.open(1);
    nodes.open(2).handle(Ask.class, (ask, exchange) -> {});
    assertThatThrownBy(() -> one.request(2, new Ask(1), Ask.class, PATIENCE))
        .isInstanceOf(RemoteHandlerException.class)
        .hasMessageContaining("must retain() the exchange");
  }

  @Test
  void shouldNameTheNextStepToAnInlineHandlerWithoutConnection() {
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    Node one = nodes.open(1);
    Node two = nodes.open(2);
    nodes.open(3);
    two.handle(
        Ask.class,
        Dispatch.INLINE,
        (ask, exchange) -> {
          try {
            two.send(3, ask);
          } catch (IllegalStateException e) {
            failures.add(e);
          }
        });
    one.send(2, new Ask(1));
    await("the handler has failed", () -> !failures.isEmpty());
    assertThat(failures.element())
        .hasMessageContaining("register it as POOLED or BLOCKING, or use trySend");
  }

  @Test
  void shouldSayWhetherTheNodeIsClosingOrClosed() {
    CountDownLatch release = new CountDownLatch(1);
    Node one = nodes.open(1);
    Node two = nodes.open(2);
    CountDownLatch begun = new CountDownLatch(1);
    two.handle(
        Ask.class,
        (ask, exchange) -> {
          begun.countDown();
          release.await();
        });
    one.send(2, new Ask(1));
    await("the handler runs", () -> begun.getCount() == 0);
    CompletableFuture<CloseReport> report =
        CompletableFuture.supplyAsync(() -> two.close(PATIENCE));
    two.whenClosed().join();
    assertThatThrownBy(() -> two.send(1, new Ask(2)))
        .isInstanceOf(NodeClosedException.class)
        .hasMessageContaining("the node is closing");
    release.countDown();
    assertThat(report.join().isClean()).isTrue();
    assertThatThrownBy(() -> two.send(1, new Ask(2)))
        .isInstanceOf(NodeClosedException.class)
        .hasMessageContaining("the node is closed");
  }
}
