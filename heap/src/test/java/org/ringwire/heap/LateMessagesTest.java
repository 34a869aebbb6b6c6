package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.await;

import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Handler;
import org.ringwire.Node;
import org.ringwire.RemoteHandlerException;
import org.ringwire.heap.channel.ChannelMessages.Announced;
import org.ringwire.heap.channel.ChannelMessages.HeapRequest;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.heap.channel.ChannelMessages.Truncate;
import org.ringwire.heap.channel.ChannelMessages.Truncated;
import org.ringwire.testing.NodeWatcher;

/** Of a sender, when its receiver has closed the channel, or all of them. */
@ExtendWith(NodeWatcher.class)
class LateMessagesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long STREAM = 7;

  private final CarriedPair pair = new CarriedPair();
  private final Node sender = pair.node(1);
  private final AtomicInteger truncated = new AtomicInteger();
  private final HeapChannels channels =
      pair.owns(
          HeapChannels.of(
              counting(pair.node(2)),
              HeapCodec.builder().build(),
              ChannelOptions.DEFAULT,
              pair.right));

  @AfterEach
  void close() throws Exception {
    pair.close();
  }

  /** Counts truncations that were handled. */
  private Node counting(Node node) {
    return (Node)
        Proxy.newProxyInstance(
            LateMessagesTest.class.getClassLoader(),
            new Class<?>[] {Node.class},
            (_, method, arguments) -> {
              if (method.getName().equals("handle") && arguments[0] == Truncate.class) {
                @SuppressWarnings("unchecked")
                Handler<Object> handler = (Handler<Object>) arguments[2];
                Handler<Object> counted =
                    (message, exchange) -> {
                      handler.handle(message, exchange);
                      truncated.incrementAndGet();
                    };
                arguments[2] = counted;
              }
              return method.invoke(node, arguments);
            });
  }

  private Announced announced(int known) {
    HeapRequest request = new HeapRequest(STREAM, pair.right.kind(), 1, false, known);
    return sender.request(2, request, Announced.class, PATIENCE);
  }

  private void truncate(int number) {
    int before = truncated.get();
    sender.send(2, new Truncate(STREAM, List.of(new Truncated(number, 0))));
    await("a truncation", () -> truncated.get() > before);
  }

  private Map<?, ?> kept() throws ReflectiveOperationException {
    Field kept = HeapChannels.class.getDeclaredField("channels");
    kept.setAccessible(true);
    return (Map<?, ?>) kept.get(channels);
  }

  @Test
  void shouldAnnounceNothingAndBeginNoChannel() throws Exception {
    sender.request(2, new Open(STREAM, 1), Opened.class, PATIENCE);
    int number = announced(0).offers().getFirst().number();
    assertThat(pair.right.announcedBytes).hasPositiveValue();
    assertThat(kept()).hasSize(1);

    channels.to(1).close();
    assertThat(pair.right.announcedBytes).hasValue(0);
    truncate(number);
    assertThat(kept()).as("a channel that nobody closes").isEmpty();
    assertThatThrownBy(() -> announced(number))
        .isInstanceOf(RemoteHandlerException.class)
        .hasMessageContaining("the stream has ended");
    truncate(number);

    sender.request(2, new Open(STREAM, 1), Opened.class, PATIENCE);
    assertThat(announced(0).offers()).isNotEmpty();
    channels.close();
    truncate(number);
    assertThatThrownBy(() -> announced(number))
        .isInstanceOf(RemoteHandlerException.class)
        .hasMessageContaining("the heap channel was closed");
    assertThat(pair.right.announcedBytes).hasValue(0);
  }
}
