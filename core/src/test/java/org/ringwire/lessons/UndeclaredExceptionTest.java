package org.ringwire.lessons;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;
import static org.ringwire.testing.Undeclared.undeclared;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.EncodingException;
import org.ringwire.Node;
import org.ringwire.RemoteHandlerException;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Writer;
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
        assertThat(one.requestAsync(2, bad, Odd.class))
            .failsWithin(PATIENCE)
            .withThrowableOfType(ExecutionException.class)
            .withCauseInstanceOf(EncodingException.class);
        assertThatThrownBy(() -> one.send(2, bad)).isInstanceOf(EncodingException.class);
      }
      Odd good = new Odd(OddCodec.FINE);
      assertThat(one.request(2, good, Odd.class, PATIENCE)).isEqualTo(good);
      assertThat(one.metrics().requestsOutstanding()).isZero();
    }
  }

  /** A codec that was interrupted while it waited. */
  private static final class Interrupted extends OddCodec {

    @Override
    public void encode(Odd message, Writer writer) {
      throw undeclared(new InterruptedException("encode failed on purpose"));
    }
  }

  @Test
  void shouldKeepTheInterruptThatEndsAnEncode() {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(7, Odd.class, new Interrupted());
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = nodes.open(1, settings -> settings.catalog(catalog));
      nodes.open(2, settings -> settings.catalog(OddCodec.catalog()));
      assertThatThrownBy(() -> one.send(2, new Odd(OddCodec.FINE)))
          .isInstanceOf(EncodingException.class)
          .hasCauseInstanceOf(InterruptedException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
