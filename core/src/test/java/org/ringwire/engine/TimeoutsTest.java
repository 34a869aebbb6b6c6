package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.BackPressureException;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeUnreachableException;
import org.ringwire.RequestTimeoutException;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;

/** All methods that take a timeout take the same ones. */
@ExtendWith(NodeWatcher.class)
class TimeoutsTest {

  record Ask(long number) {}

  record Fill(String text) {}

  private final TestNodes nodes = new TestNodes("tcp");
  private final Node one = nodes.open(1);
  private final Node two = nodes.open(2);

  @AfterEach
  void end() {
    nodes.close();
  }

  private void connect() {
    two.handle(
        Ask.class,
        (ask, exchange) -> {
          if (exchange.isRequest()) {
            exchange.reply(ask);
          }
        });
    assertThat(one.request(2, new Ask(1), Ask.class, PATIENCE)).isEqualTo(new Ask(1));
    one.send(2, new Ask(1)); // and from now on there is a way that leads there at once
  }

  @SuppressWarnings("NullAway") // what callers without it may do
  private List<Consumer<@Nullable Duration>> calls() {
    return List.of(
        timeout -> one.send(2, new Ask(1), timeout),
        timeout -> one.request(2, new Ask(1), Ask.class, timeout),
        timeout -> one.requestAsync(2, new Ask(1), Ask.class, timeout).join(),
        timeout -> one.connect(String.valueOf(two.address()), timeout),
        timeout -> one.close(timeout));
  }

  @Test
  void shouldRefuseNoneAtOnce() {
    connect();
    for (Consumer<@Nullable Duration> call : calls()) {
      assertThatThrownBy(() -> call.accept(null))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("timeout must not be null");
    }
    assertThat(one.request(2, new Ask(2), Ask.class, PATIENCE)).isEqualTo(new Ask(2));
  }

  @Test
  void shouldRefuseANegativeOneAtOnce() {
    connect();
    for (Consumer<@Nullable Duration> call : calls()) {
      assertThatThrownBy(() -> call.accept(Duration.ofSeconds(-1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("timeout must not be negative: timeout=PT-1S");
    }
    assertThat(one.request(2, new Ask(2), Ask.class, PATIENCE)).isEqualTo(new Ask(2));
  }

  @Test
  void shouldDoWithZeroWhatNeedsNoWait() {
    nodes.directory().put(3, "127.0.0.1:1"); // nobody listens
    assertThatThrownBy(() -> one.send(3, new Ask(1), Duration.ZERO))
        .isInstanceOfAny(NodeUnreachableException.class, BackPressureException.class);
    connect();
    one.send(2, new Ask(1), Duration.ZERO);
    assertThat(one.close(Duration.ZERO)).isNotNull();
  }

  /** An inline handler may not wait for room, and does not with zero, as anybody else. */
  @Test
  void shouldSayThatThereIsNoRoomAlsoToAnInlineHandler() throws Exception {
    CountDownLatch full = new CountDownLatch(1);
    two.handle(
        Fill.class, (fill, exchange) -> Awaiting.await("the refusal", () -> full.getCount() == 0));
    CompletableFuture<Void> filled = new CompletableFuture<>();
    one.handle(
        Ask.class,
        Dispatch.INLINE,
        (ask, exchange) -> {
          try {
            fill();
            filled.complete(null);
          } catch (RuntimeException e) {
            filled.completeExceptionally(e);
          }
        });
    try {
      one.send(2, new Fill("one")); // the connection is there
      two.send(1, new Ask(1));
      assertThatThrownBy(() -> filled.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(BackPressureException.class);
      assertThatThrownBy(this::fill).isInstanceOf(BackPressureException.class);
    } finally {
      full.countDown();
    }
  }

  private void fill() {
    for (int count = 0; count < 100_000; count++) {
      one.send(2, new Fill("much".repeat(250)), Duration.ZERO);
    }
  }

  private static final Duration SHORT = Duration.ofMillis(200);

  /** Takes longer to become known than its request may. */
  private enum Late {
    ANSWER;

    static {
      long beganNs = System.nanoTime();
      Awaiting.await(
          "the end of the request", () -> System.nanoTime() - beganNs > 2 * SHORT.toNanos());
    }
  }

  /** Its connection may be there before it looks at the clock again, and no time left to use it. */
  @Test
  void shouldBoundARequestWhoseResponseTakesLongToBecomeKnown() {
    two.handle(Ask.class, (ask, exchange) -> exchange.reply(Late.ANSWER));
    assertThatThrownBy(() -> one.request(2, new Ask(1), Late.class, SHORT))
        .isInstanceOfAny(NodeUnreachableException.class, RequestTimeoutException.class)
        .hasMessageContaining("in time: ");
  }
}
