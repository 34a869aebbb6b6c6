package org.ringwire.lessons;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.engine.TestNodes.await;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.EncodingException;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.RemoteHandlerException;
import org.ringwire.engine.TestNodes;
import org.ringwire.lessons.OddCodec.Odd;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** Codecs that throw checked exceptions without declaring them: each costs its message only. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors({"on purpose", "handler of messageType"})
class UndeclaredExceptionTest {

  private static final List<Dispatch> ALL =
      List.of(
          Dispatch.INLINE,
          Dispatch.POOLED,
          Dispatch.BLOCKING,
          Dispatch.POOLED.inOrder(),
          Dispatch.BLOCKING.inOrder());

  record Ask(int how) {}

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldHandleTheNextMessageAfterOneThatIsNotDecoded(String transport) {
    for (Dispatch dispatch : ALL) {
      try (TestNodes nodes = new TestNodes(transport)) {
        Node one = nodes.open(1, settings -> settings.catalog(OddCodec.catalog()));
        Node two = nodes.open(2, settings -> settings.catalog(OddCodec.catalog()));
        AtomicInteger handled = new AtomicInteger();
        two.handle(
            Odd.class,
            dispatch,
            (odd, exchange) -> {
              handled.incrementAndGet();
              if (exchange.isRequest()) {
                exchange.reply(odd);
              }
            });
        Odd bad = new Odd(OddCodec.DECODE_CHECKED);
        Odd good = new Odd(OddCodec.FINE);
        one.send(2, bad);
        assertThatThrownBy(() -> one.request(2, bad, Odd.class, PATIENCE))
            .isInstanceOf(RemoteHandlerException.class)
            .hasMessageContaining("on purpose");
        assertThat(one.request(2, good, Odd.class, PATIENCE)).isEqualTo(good);
        one.send(2, good);
        await("the good ones", () -> handled.get() == 2);
        assertThat(two.metrics().connectionsLost()).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldFailOnlyTheRequestWhoseResponseIsNotDecoded(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.catalog(OddCodec.catalog()));
      Node two = nodes.open(2, settings -> settings.catalog(OddCodec.catalog()));
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(new Odd(ask.how())));
      Ask bad = new Ask(OddCodec.DECODE_CHECKED);
      assertThatThrownBy(() -> one.request(2, bad, Odd.class, PATIENCE))
          .isInstanceOf(MessagingException.class)
          .hasMessageContaining("does not decode")
          .hasCauseInstanceOf(IOException.class);
      assertThat(one.request(2, new Ask(OddCodec.FINE), Odd.class, PATIENCE).number()).isZero();
      assertThat(one.metrics().connectionsLost()).isZero();
    }
  }

  @Test
  void shouldLeaveNothingOfARequestThatIsNotEncoded() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = nodes.open(1, settings -> settings.catalog(OddCodec.catalog()).maxRequests(4));
      Node two = nodes.open(2, settings -> settings.catalog(OddCodec.catalog()));
      two.handle(Odd.class, (odd, exchange) -> exchange.reply(odd));
      Odd bad = new Odd(OddCodec.CHECKED);
      for (int round = 0; round < 10; round++) {
        assertThatThrownBy(() -> one.request(2, bad, Odd.class, PATIENCE))
            .isInstanceOf(EncodingException.class)
            .hasCauseInstanceOf(IOException.class);
        assertThatThrownBy(() -> one.requestAsync(2, bad, Odd.class))
            .isInstanceOf(EncodingException.class);
        assertThatThrownBy(() -> one.send(2, bad)).isInstanceOf(EncodingException.class);
      }
      Odd good = new Odd(OddCodec.FINE);
      assertThat(one.request(2, good, Odd.class, PATIENCE)).isEqualTo(good);
      assertThat(one.metrics().requestsOutstanding()).isZero();
    }
  }

  @Test
  void shouldAnswerTheRequestWhoseReplyIsNotEncoded() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = nodes.open(1, settings -> settings.catalog(OddCodec.catalog()));
      Node two = nodes.open(2, settings -> settings.catalog(OddCodec.catalog()));
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(new Odd(ask.how())));
      assertThatThrownBy(() -> one.request(2, new Ask(OddCodec.CHECKED), Odd.class, PATIENCE))
          .isInstanceOf(RemoteHandlerException.class);
      assertThat(one.request(2, new Ask(OddCodec.FINE), Odd.class, PATIENCE).number()).isZero();
    }
  }
}
