package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.testing.NodeWatcher;

/** Handlers of the pool that wait for graphs, on all threads that it has. */
@ExtendWith(NodeWatcher.class)
class PooledReadersSystemTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int READER = 1;

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final List<AutoCloseable> open = new ArrayList<>();

  record Read() {}

  record Length(int length) {}

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private Node node(int id) {
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport("loopback")
                .listen("pooled-" + id + "-" + hashCode())
                .peers(directory)
                .handlerThreads(1)
                .lookup(MethodHandles.lookup())
                .requestTimeout(PATIENCE)
                .build());
    open.add(node);
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  private HeapChannels channels(Node node) {
    HeapCodec codec = HeapCodec.builder().build();
    ChannelOptions options =
        ChannelOptions.DEFAULT
            .withBlockBytes(4096)
            .withWindowBytes(1 << 16)
            .withTimeout(Duration.ofSeconds(20));
    HeapChannels channels = HeapChannels.of(node, codec, options);
    open.add(channels);
    return channels;
  }

  /** Some need more room on their way, and of one its writer asks later whether it has arrived. */
  @Test
  void shouldTakeGraphsWhileAllThreadsOfThePoolWaitForThem() throws Exception {
    Node node = node(READER);
    HeapChannels here = channels(node);
    CountDownLatch waits = new CountDownLatch(1);
    node.handle(
        Read.class,
        (read, exchange) -> {
          waits.countDown();
          int[] graph = (int[]) here.to(exchange.source()).readObject();
          exchange.reply(new Length(graph == null ? 0 : graph.length));
        });
    Node writer = node(2);
    HeapChannel there = channels(writer).to(READER);
    CompletableFuture<Length> read = writer.requestAsync(READER, new Read(), Length.class);
    assertThat(waits.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    HeapChannel other = channels(node(3)).to(READER);

    other.waitHandle(other.writeObjectAsync(new int[1]));
    there.writeObject(new int[1 << 16]);

    assertThat(read.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(new Length(1 << 16));
    assertThat((int[]) here.to(3).readObject()).hasSize(1);
  }
}
