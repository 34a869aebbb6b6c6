package org.ringwire.lessons;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.engine.TestNodes.await;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.EncodingException;
import org.ringwire.Node;
import org.ringwire.RemoteHandlerException;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.TestNodes;
import org.ringwire.lessons.OddCodec.Odd;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** What went wrong elsewhere when users' code failed, tried on ours; by number of the lesson. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class FailureLessonsTest {

  record Ask(long number) {}

  record Answer(long number) {}

  record Event(long number) {}

  private static MessageCatalog oddCatalog() {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(7, Odd.class, new OddCodec());
    return catalog;
  }

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

  // 2

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldDeliverTheNextMessageAfterAFailedEncode(String transport) {
    Queue<Integer> arrived = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.catalog(oddCatalog()));
      Node two = nodes.open(2, settings -> settings.catalog(oddCatalog()));
      two.handle(Odd.class, Dispatch.INLINE, (odd, exchange) -> arrived.add(odd.number()));
      one.send(2, new Odd(OddCodec.FINE));
      for (int round = 0; round < 2000; round++) { // many times more than fit into the ring
        assertNamesBothLengths(one, OddCodec.THROWS, 4);
        assertNamesBothLengths(one, OddCodec.TOO_LITTLE, 4);
        assertNamesBothLengths(one, OddCodec.TOO_MUCH, 4);
      }
      assertThatThrownBy(() -> one.send(2, new Odd(OddCodec.ERROR)))
          .isInstanceOf(StackOverflowError.class);
      one.send(2, new Odd(OddCodec.FINE));
      await("both good messages", () -> arrived.size() == 2);
      assertThat(arrived).containsExactly(0, 0);
      await("all credited", () -> two.metrics().messagesHandled() == 2);
      await("both counted, and no more", () -> one.metrics().messagesSent() == 2);
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
      Node one = nodes.open(1, settings -> settings.catalog(oddCatalog()).maxRequests(4));
      Node two = nodes.open(2, settings -> settings.catalog(oddCatalog()));
      two.handle(Odd.class, (odd, exchange) -> exchange.reply(odd));
      for (int round = 0; round < 10; round++) {
        assertThatThrownBy(() -> one.request(2, new Odd(OddCodec.ERROR), Odd.class, PATIENCE))
            .isInstanceOf(StackOverflowError.class);
        assertThatThrownBy(() -> one.requestAsync(2, new Odd(OddCodec.ERROR), Odd.class))
            .isInstanceOf(StackOverflowError.class);
        assertThatThrownBy(() -> one.request(2, new Odd(OddCodec.THROWS), Odd.class, PATIENCE))
            .isInstanceOf(EncodingException.class);
      }
      Odd fine = new Odd(OddCodec.FINE);
      assertThat(one.request(2, fine, Odd.class, PATIENCE)).isEqualTo(fine);
      assertThat(one.metrics().requestsOutstanding()).isZero();
    }
  }

  @Test
  void shouldAnswerTheRequestWhoseReplyIsNotEncoded() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = nodes.open(1, settings -> settings.catalog(oddCatalog()));
      Node two = nodes.open(2, settings -> settings.catalog(oddCatalog()));
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(new Odd((int) ask.number())));
      for (int how : new int[] {OddCodec.THROWS, OddCodec.TOO_MUCH, OddCodec.ERROR}) {
        assertThatThrownBy(() -> one.request(2, new Ask(how), Odd.class, PATIENCE))
            .isInstanceOf(RemoteHandlerException.class);
      }
      assertThat(one.request(2, new Ask(0), Odd.class, PATIENCE)).isEqualTo(new Odd(0));
    }
  }

  // 19

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldReportAUsersOwnExceptionAsWhatItIs(String transport) {
    for (Dispatch dispatch : List.of(Dispatch.INLINE, Dispatch.POOLED, Dispatch.BLOCKING)) {
      try (TestNodes nodes = new TestNodes(transport)) {
        Node one = nodes.open(1, settings -> settings.catalog(oddCatalog()));
        Node two = nodes.open(2, settings -> settings.catalog(oddCatalog()));
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
