package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.heap.OtherJvm.Started;
import org.ringwire.testing.NodeWatcher;

/** Channels to another process, which has another kind of heap, or ends. */
@ExtendWith(NodeWatcher.class)
class ChannelProcessesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final Node node = open();
  private final HeapChannels channels =
      HeapChannels.of(
          node,
          HeapCodec.builder().acceptPackage("org.ringwire.heap").build(),
          ChannelOptions.DEFAULT.withTimeout(PATIENCE));
  private final HeapChannel channel = channels.to(ChannelProgram.NODE_ID);

  private Node open() {
    return Node.open(
        NodeConfig.builder(ChannelProgram.TEST_ID)
            .transport("tcp")
            .listen("127.0.0.1:0")
            .peers(directory)
            .build());
  }

  @AfterEach
  void close() {
    channels.close();
    node.close();
  }

  private Started start(List<String> options, String what) throws Exception {
    Started other =
        OtherJvm.start(options, ChannelProgram.class, what, String.valueOf(node.address()));
    directory.put(ChannelProgram.NODE_ID, (String) channel.readObject());
    return other;
  }

  static Stream<List<String>> kinds() {
    return OtherJvm.COLLECTORS.stream()
        .flatMap(
            c -> Stream.of(OtherJvm.verifying(c, true, true), OtherJvm.verifying(c, false, false)));
  }

  @Tag("nightly")
  @ParameterizedTest
  @MethodSource("kinds")
  void shouldCarryGraphsToAnotherKindOfHeap(List<String> options) throws Exception {
    try (Started other = start(options, "echo")) {
      for (int i = 0; i < ChannelProgram.GRAPHS; i++) {
        Object graph = RandomGraphs.graph(i, 1 + 50 * i);
        channel.writeObject(graph);
        assertThat(Graphs.difference(graph, channel.readObject())).isNull();
      }
      assertThat(other.status()).isZero();
    }
  }

  @Test
  void shouldLoseTheGraphThatADyingPeerWrites() throws Exception {
    try (Started other = start(OtherJvm.options("Serial", true, false), "die-writing")) {
      assertThatThrownBy(channel::readIterable)
          .isInstanceOf(GraphLostException.class)
          .hasMessageContaining("nodeId=2");
      assertThat(other.status()).isEqualTo(3);
      assertThat(channel.isReadable()).isFalse();
    }
    try (Started other = start(OtherJvm.options("Serial", true, false), "die-reading")) {
      assertThatThrownBy(() -> channel.writeObject(new long[1 << 20]))
          .isInstanceOf(MessagingException.class)
          .isNotInstanceOf(ChannelTimeoutException.class);
      assertThat(other.status()).isEqualTo(3);
    }
  }
}
