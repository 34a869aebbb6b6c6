package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.heap.ChannelSystemTest.start;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;

/** Nodes that are closed before their channels are. */
@ExtendWith(NodeWatcher.class)
class ClosedNodeSystemTest {
  private static final Duration FOR_EVER = Duration.ofDays(365);

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final List<Node> nodes = new ArrayList<>();

  @AfterEach
  void close() {
    nodes.forEach(Node::close);
  }

  private HeapChannels open(int id) {
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport("loopback")
                .listen("closed-" + id + "-" + hashCode())
                .peers(directory)
                .build());
    nodes.add(node);
    directory.put(id, Objects.requireNonNull(node.address()));
    return HeapChannels.of(
        node, HeapCodec.builder().build(), ChannelOptions.DEFAULT.withTimeout(FOR_EVER));
  }

  @Test
  void shouldTellReadersAtOnceThatTheirNodeIsClosed() {
    HeapChannel channel = open(1).to(2);
    List<Thread> threads = new ArrayList<>();
    List<CompletableFuture<Void>> reading = new ArrayList<>();
    for (int i = 0; i < 2; i++) { // one waits for a graph, the other for the first
      CompletableFuture<Thread> thread = new CompletableFuture<>();
      reading.add(
          start(() -> {
            thread.complete(Thread.currentThread());
            channel.readObject();
          }));
      threads.add(thread.join());
    }
    Awaiting.await(
        "both wait",
        () -> threads.stream().allMatch(t -> t.getState() == Thread.State.TIMED_WAITING));

    nodes.getFirst().close();

    for (CompletableFuture<Void> one : reading) {
      assertThatThrownBy(() -> one.orTimeout(60, TimeUnit.SECONDS).join())
          .isInstanceOf(CompletionException.class)
          .hasRootCauseInstanceOf(NodeClosedException.class)
          .rootCause()
          .hasMessageContaining("the node is closed");
    }
  }

  @Test
  void shouldHandOutWhatHasComeBeforeItsNodeWasClosed() {
    HeapChannel one = open(1).to(2);
    HeapChannels two = open(2);
    one.writeObject("first");
    one.writeObject("second");

    nodes.get(1).close();

    HeapChannel channel = two.to(1);
    assertThat(channel.readObject()).isEqualTo("first");
    assertThat(channel.readObject()).isEqualTo("second");
    assertThatThrownBy(channel::readObject).isInstanceOf(NodeClosedException.class);
    assertThatThrownBy(() -> two.to(3).readObject()).isInstanceOf(NodeClosedException.class);
  }
}
