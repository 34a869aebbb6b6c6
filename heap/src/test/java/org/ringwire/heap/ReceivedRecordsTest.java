package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.testing.NodeWatcher;

/** What came in a record can be sent on in a graph. */
@ExtendWith(NodeWatcher.class)
class ReceivedRecordsTest {

  record Entry(
      List<String> names,
      Set<Integer> numbers,
      Map<String, List<Long>> tags,
      Optional<Map<Integer, String>> more) {}

  @Test
  void shouldSendCollectionsOfReceivedRecords() {
    Entry entry =
        new Entry(
            List.of("a", "b"), Set.of(7), Map.of("t", List.of(1L, 2L)), Optional.of(Map.of(1, "")));
    HeapCodec codec = HeapCodec.builder().accept(Entry.class).build();
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node node =
        Node.open(
            NodeConfig.builder(1)
                .transport("loopback")
                .listen("received-" + hashCode())
                .lookup(MethodHandles.lookup())
                .peers(directory)
                .build())) {
      directory.put(1, String.valueOf(node.address()));
      node.handle(Entry.class, Dispatch.POOLED, (received, exchange) -> exchange.reply(received));
      Entry received = node.request(1, entry, Entry.class, Duration.ofSeconds(60));
      assertThat(received).isEqualTo(entry);
      assertThat(codec.decode(codec.encode(received))).isEqualTo(entry);
    }
  }
}
