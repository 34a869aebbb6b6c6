package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.testing.NodeWatcher;

/** Channels in handlers that may not wait. */
@ExtendWith(NodeWatcher.class)
class InlineHandlerSystemTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  record Try(int way) {}

  record Told(@Nullable String message) {}

  private static Node node(int id, NodeDirectory.Mutable directory) {
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .listen("127.0.0.1:0")
                .peers(directory)
                .lookup(MethodHandles.lookup())
                .build());
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  private static void attempt(HeapChannel channel, int way) {
    switch (way) {
      case 0 -> channel.readObject();
      case 1 -> channel.readIterable(PATIENCE);
      case 2 -> channel.writeObject("graph");
      case 3 -> channel.writeIterable(List.of("graph"));
      case 4 -> channel.writeIterable(new Object[] {"graph"});
      default -> channel.writeObjectAsync("graph");
    }
  }

  /** What it waited for would come through the thread that runs it. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void shouldRefuseAnInlineHandlerThatWouldWait(int way) {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node one = node(1, directory);
        Node two = node(2, directory);
        HeapChannels channels = HeapChannels.of(two, HeapCodec.builder().build())) {
      two.handle(
          Try.class,
          Dispatch.INLINE,
          (attempt, exchange) -> {
            HeapChannel channel = channels.to(exchange.source());
            Throwable thrown = catchThrowable(() -> attempt(channel, attempt.way()));
            exchange.reply(new Told(thrown == null ? null : thrown.getMessage()));
          });

      Told told = one.request(2, new Try(way), Told.class, PATIENCE);

      assertThat(told.message())
          .contains("an inline handler may neither read nor write graphs", "nodeId=1");
    }
  }
}
