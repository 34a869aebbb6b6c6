package org.ringwire.lessons;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.EncodingException;
import org.ringwire.Exchange;
import org.ringwire.MemoryLimitException;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.RemoteHandlerException;
import org.ringwire.RetainedExchange;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.engine.TestNodes;
import org.ringwire.lessons.OddCodec.Odd;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** What went wrong elsewhere when users' code failed, tried on ours; by number of the lesson. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors({
  "on purpose",
  "whose text cannot be had",
  "MuteError",
  "decode() returned null",
  "FailureLessonsTest$Ask"
})
class FailureLessonsTest {

  record Ask(long number) {}

  record Answer(long number) {}

  record Event(long number) {}

  // 1

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldHandleTheNextMessageAfterAFailedHandler(String transport) {
    for (Dispatch dispatch :
        List.of(Dispatch.INLINE, Dispatch.POOLED, Dispatch.BLOCKING, Dispatch.POOLED.inOrder())) {
      try (TestNodes nodes = new TestNodes(transport)) {
        Node one = nodes.open(1);
        Node two = nodes.open(2);
        two.handle(
            Ask.class,
            dispatch,
            (ask, exchange) -> {
              if (ask.number() % 2 == 1) {
                throw new StackOverflowError("handler failed on purpose");
              }
              exchange.reply(new Answer(ask.number()));
            });
        for (int number = 0; number < 20; number += 2) {
          Ask bad = new Ask(number + 1);
          assertThatThrownBy(() -> one.request(2, bad, Answer.class, PATIENCE))
              .isInstanceOf(RemoteHandlerException.class)
              .hasMessageContaining("on purpose");
          assertThat(one.request(2, new Ask(number), Answer.class, PATIENCE).number())
              .isEqualTo(number);
        }
        assertThat(two.metrics().handlerFailures()).isEqualTo(10);
      }
    }
  }

  /** What cannot even say what it is. */
  private static final class Speechless extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean byError;

    Speechless(boolean byError) {
      this.byError = byError;
    }

    @Override
    public String getMessage() {
      if (byError) {
        throw new StackOverflowError("getMessage failed on purpose");
      }
      throw new IllegalStateException("getMessage failed on purpose");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldHandleTheNextMessageAfterAFailureThatHasNoText(String transport) {
    for (Dispatch dispatch :
        List.of(
            Dispatch.INLINE,
            Dispatch.POOLED,
            Dispatch.BLOCKING,
            Dispatch.POOLED.inOrder(),
            Dispatch.BLOCKING.inOrder())) {
      try (TestNodes nodes = new TestNodes(transport)) {
        Node one = nodes.open(1);
        Node two = nodes.open(2);
        two.handle(
            Ask.class,
            dispatch,
            (ask, exchange) -> {
              if (ask.number() > 0) {
                throw new Speechless(ask.number() > 1);
              }
              exchange.reply(new Answer(ask.number()));
            });
        for (long number = 1; number <= 2; number++) {
          Ask bad = new Ask(number);
          assertThatThrownBy(() -> one.request(2, bad, Answer.class, PATIENCE))
              .isInstanceOf(RemoteHandlerException.class)
              .hasMessageContaining(Speechless.class.getName());
          assertThat(one.request(2, new Ask(0), Answer.class, PATIENCE).number()).isZero();
        }
        assertThat(two.metrics().handlerFailures()).isEqualTo(2);
        assertThat(two.metrics().connectionsLost()).isZero();
      }
    }
  }

  // 2

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldDeliverTheNextMessageAfterAFailedEncode(String transport) {
    Queue<Integer> arrived = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.catalog(OddCodec.catalog()));
      Node two = nodes.open(2, settings -> settings.catalog(OddCodec.catalog()));
      two.handle(Odd.class, Dispatch.INLINE, (odd, exchange) -> arrived.add(odd.number()));
      one.send(2, new Odd(OddCodec.FINE));
      for (int round = 0; round < 2000; round++) { // many times more than fit into the ring
        assertNamesBothLengths(one, OddCodec.THROWS, 4);
        assertNamesBothLengths(one, OddCodec.TOO_LITTLE, 4);
        assertNamesBothLengths(one, OddCodec.TOO_MUCH, 4);
      }
      assertThatThrownBy(() -> one.send(2, new Odd(OddCodec.ERROR)))
          .isInstanceOf(StackOverflowError.class);
      assertThatThrownBy(() -> one.send(2, new Odd(OddCodec.NO_MEMORY)))
          .as("which is no defect of a codec")
          .isInstanceOf(MemoryLimitException.class);
      one.send(2, new Odd(OddCodec.FINE));
      await("both good messages", () -> arrived.size() == 2);
      assertThat(arrived).containsExactly(0, 0);
      await("all credited", () -> two.metrics().messagesHandled() == 2);
      await("both counted, and no more", () -> one.metrics().messagesSent() == 2);
    }
  }

  /** A codec of a message that is too long for the ring, and fails when it is told to. */
  private static final class FailingLate implements Codec<FailingLate.Late> {
    record Late(CountDownLatch began, CountDownLatch fails) {}

    @Override
    public int length(Late message) {
      return 4 << 20;
    }

    @Override
    public void encode(Late message, Writer writer) {
      message.began().countDown();
      try {
        if (!message.fails().await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
          throw new IllegalStateException("nobody said so");
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      throw new IllegalStateException("encode failed on purpose");
    }

    @Override
    public Late decode(Reader reader) {
      throw new IllegalStateException("never sent");
    }
  }

  @Test
  void shouldWriteWhatCameBehindALongMessageWhoseEncodeFails() throws Exception {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(8, FailingLate.Late.class, new FailingLate());
    Queue<Long> arrived = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes("tcp")) {
      Duration never = Duration.ofHours(1); // whatever else would write what was left behind
      Node one =
          nodes.open(
              1,
              settings ->
                  settings.catalog(catalog).keepAlive(never).idleTime(never).encodeTimeout(never));
      Node two = nodes.open(2, settings -> settings.keepAlive(never));
      two.handle(Event.class, Dispatch.INLINE, (event, exchange) -> arrived.add(event.number()));
      one.send(2, new Event(1));
      await("the first message", () -> arrived.size() == 1);
      FailingLate.Late late = new FailingLate.Late(new CountDownLatch(1), new CountDownLatch(1));
      CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> one.send(2, late));
      assertThat(late.began().await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      TimeUnit.MILLISECONDS.sleep(20); // the link is quiet: no flusher will come
      one.send(2, new Event(2));
      assertThat(one.metrics().connections()).hasSize(1);
      late.fails().countDown();
      assertThatThrownBy(() -> sender.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .hasCauseInstanceOf(EncodingException.class);
      await("the second message", () -> arrived.size() == 2);
    }
  }

  private static void assertNamesBothLengths(Node node, int how, int written) {
    assertThatThrownBy(() -> node.send(2, new Odd(how)))
        .isInstanceOf(EncodingException.class)
        .hasMessageContaining(Odd.class.getName())
        .hasMessageContaining("announcedLength=8")
        .hasMessageContaining("writtenLength=" + written);
  }

  @Test
  void shouldFreeTheRequestWhoseEncodeFails() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = nodes.open(1, settings -> settings.catalog(OddCodec.catalog()).maxRequests(4));
      Node two = nodes.open(2, settings -> settings.catalog(OddCodec.catalog()));
      two.handle(Odd.class, (odd, exchange) -> exchange.reply(odd));
      for (int round = 0; round < 10; round++) {
        assertThatThrownBy(() -> one.request(2, new Odd(OddCodec.ERROR), Odd.class, PATIENCE))
            .isInstanceOf(StackOverflowError.class);
        assertFails(one.requestAsync(2, new Odd(OddCodec.ERROR), Odd.class))
            .isInstanceOf(StackOverflowError.class);
        assertThatThrownBy(() -> one.request(2, new Odd(OddCodec.THROWS), Odd.class, PATIENCE))
            .isInstanceOf(EncodingException.class);
      }
      Odd fine = new Odd(OddCodec.FINE);
      assertThat(one.request(2, fine, Odd.class, PATIENCE)).isEqualTo(fine);
      assertThat(one.metrics().requestsOutstanding()).isZero();
    }
  }

  private static AbstractThrowableAssert<?, ?> assertFails(CompletableFuture<?> future) {
    return assertThatThrownBy(() -> future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).cause();
  }

  /** The same failure, in the same way: who asks need not know whether there is a connection. */
  @Test
  void shouldEndTheFutureWhoseEncodeFailsWhetherItIsConnectedOrNot() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = nodes.open(1, settings -> settings.catalog(OddCodec.catalog()));
      Node two = nodes.open(2, settings -> settings.catalog(OddCodec.catalog()));
      nodes.open(3, settings -> settings.catalog(OddCodec.catalog()));
      two.handle(Odd.class, (odd, exchange) -> exchange.reply(odd));
      Odd fine = new Odd(OddCodec.FINE);
      assertThat(one.request(2, fine, Odd.class, PATIENCE)).isEqualTo(fine);
      for (int nodeId = 2; nodeId <= 3; nodeId++) {
        assertFails(one.requestAsync(nodeId, new Odd(OddCodec.THROWS), Odd.class))
            .isInstanceOf(EncodingException.class);
        assertFails(one.requestAsync(nodeId, new Odd(OddCodec.ERROR), Odd.class))
            .isInstanceOf(StackOverflowError.class);
      }
    }
  }

  @Test
  void shouldAnswerTheRequestWhoseReplyIsNotEncoded() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = nodes.open(1, settings -> settings.catalog(OddCodec.catalog()));
      Node two = nodes.open(2, settings -> settings.catalog(OddCodec.catalog()));
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(new Odd((int) ask.number())));
      for (int how :
          List.of(OddCodec.THROWS, OddCodec.TOO_MUCH, OddCodec.ERROR, OddCodec.CHECKED)) {
        assertThatThrownBy(() -> one.request(2, new Ask(how), Odd.class, PATIENCE))
            .isInstanceOf(RemoteHandlerException.class);
      }
      assertThat(one.request(2, new Ask(0), Odd.class, PATIENCE)).isEqualTo(new Odd(0));
    }
  }

  @Test
  void shouldSayWhatHasFailedThoughItHasNoTextOfItsOwn() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = nodes.open(1, settings -> settings.catalog(OddCodec.catalog()));
      Node two = nodes.open(2, settings -> settings.catalog(OddCodec.catalog()));
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(new Odd((int) ask.number())));
      Ask mute = new Ask(OddCodec.ERROR_WITHOUT_TEXT);
      assertThatThrownBy(() -> one.request(2, mute, Odd.class, PATIENCE))
          .isInstanceOf(RemoteHandlerException.class)
          .hasMessageContaining("MuteError");
      Ask unprintable = new Ask(OddCodec.UNPRINTABLE);
      assertThatThrownBy(() -> one.request(2, unprintable, Odd.class, PATIENCE))
          .isInstanceOf(RemoteHandlerException.class)
          .hasMessageContaining("UnprintableException, whose text cannot be had");
    }
  }

  /** At once, and both sides hear of it: who answers with nothing by mistake has answered. */
  @Test
  @SuppressWarnings("NullAway")
  void shouldAnswerTheRequestWhoseReplyIsNull() {
    Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = nodes.open(1);
      Node two = nodes.open(2);
      two.handle(
          Ask.class,
          (ask, exchange) -> {
            try (RetainedExchange kept = ask.number() < 2 ? null : exchange.retain()) {
              Exchange answering = kept == null ? exchange : kept;
              try {
                if (ask.number() % 2 == 0) {
                  answering.reply(null);
                } else {
                  answering.fail(null);
                }
              } catch (NullPointerException e) {
                thrown.add(e);
              }
            }
          });
      for (int how = 0; how < 4; how++) {
        Ask ask = new Ask(how);
        String what = how % 2 == 0 ? "response must not be null" : "reason must not be null";
        assertThatThrownBy(() -> one.request(2, ask, Ask.class, Duration.ofSeconds(10)))
            .isInstanceOf(RemoteHandlerException.class)
            .hasMessageContaining(what);
      }
      await("both sides have heard", () -> thrown.size() == 4);
      assertThat(thrown)
          .extracting(Throwable::getMessage)
          .containsExactlyInAnyOrder(
              "response must not be null",
              "reason must not be null",
              "response must not be null",
              "reason must not be null");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldFailTheRequestWhoseResponseIsNotDecodedAndNoOther(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.catalog(OddCodec.catalog()));
      Node two = nodes.open(2, settings -> settings.catalog(OddCodec.catalog()));
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(new Odd((int) ask.number())));
      int[] bad = {
        OddCodec.DECODE_OUT_OF_BOUNDS,
        OddCodec.DECODE_ERROR,
        OddCodec.DECODE_NOTHING,
        OddCodec.DECODE_CHECKED
      };
      for (int how : bad) {
        assertThatThrownBy(() -> one.request(2, new Ask(how), Odd.class, PATIENCE))
            .isInstanceOf(MessagingException.class)
            .hasMessageContaining("response does not decode")
            .hasMessageContaining(Odd.class.getName());
      }
      assertThatThrownBy(
              () -> one.request(2, new Ask(OddCodec.DECODE_CHECKED), Odd.class, PATIENCE))
          .hasCauseInstanceOf(IOException.class);
      assertThat(one.request(2, new Ask(0), Odd.class, PATIENCE)).isEqualTo(new Odd(0));
      assertThat(one.metrics().connectionsLost()).isZero();
    }
  }

  @Test
  void shouldAnswerTheRequestOfWhichACodecMakesNothing() {
    for (Dispatch dispatch : List.of(Dispatch.INLINE, Dispatch.POOLED, Dispatch.BLOCKING)) {
      try (TestNodes nodes = new TestNodes("loopback")) {
        Node one = nodes.open(1, settings -> settings.catalog(OddCodec.catalog()));
        Node two = nodes.open(2, settings -> settings.catalog(OddCodec.catalog()));
        two.handle(Odd.class, dispatch, (odd, exchange) -> exchange.reply(odd));
        assertThatThrownBy(
                () -> one.request(2, new Odd(OddCodec.DECODE_NOTHING), Odd.class, PATIENCE))
            .isInstanceOf(RemoteHandlerException.class)
            .hasMessageContaining("decoding failed");
        assertThat(two.metrics().handlerFailures()).isEqualTo(1);
      }
    }
  }

  // 19

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldReportAUsersOwnExceptionAsWhatItIs(String transport) {
    for (Dispatch dispatch : List.of(Dispatch.INLINE, Dispatch.POOLED, Dispatch.BLOCKING)) {
      try (TestNodes nodes = new TestNodes(transport)) {
        Node one = nodes.open(1, settings -> settings.catalog(OddCodec.catalog()));
        Node two = nodes.open(2, settings -> settings.catalog(OddCodec.catalog()));
        two.handle(Odd.class, dispatch, (odd, exchange) -> exchange.reply(odd));
        assertThatThrownBy(() -> one.send(2, new Odd(OddCodec.OUT_OF_BOUNDS)))
            .isInstanceOf(EncodingException.class)
            .hasCauseInstanceOf(ArrayIndexOutOfBoundsException.class);
        for (int how : new int[] {OddCodec.DECODE_OUT_OF_BOUNDS, OddCodec.DECODE_ERROR}) {
          assertThatThrownBy(() -> one.request(2, new Odd(how), Odd.class, PATIENCE))
              .isInstanceOf(RemoteHandlerException.class)
              .hasMessageContaining("decode failed on purpose");
        }
        Odd fine = new Odd(OddCodec.FINE);
        assertThat(one.request(2, fine, Odd.class, PATIENCE)).isEqualTo(fine);
        assertThat(two.metrics().framesRejected()).isZero();
        assertThat(two.metrics().connectionsLost()).isZero();
      }
    }
  }
}
