package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeListener;
import org.ringwire.testing.NodeWatcher;

/** The first graph to a peer that was restarted meanwhile, over a channel that was used before. */
@ExtendWith(NodeWatcher.class)
class RestartedPeerSystemTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** More than the pause after which a channel asks; if it gets longer, nothing changes. */
  private static final long PAUSE_MS = 300;

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final Semaphore lost = new Semaphore(0);
  private final MemoryCarrier left = new MemoryCarrier(1);
  private final MemoryCarrier right = new MemoryCarrier(2);
  private @Nullable End one;
  private @Nullable End two;

  private final class Losses implements NodeListener {
    @Override
    public void lost(LossReport report) {
      lost.release();
    }
  }

  /** A node with its channels. */
  private final class End implements AutoCloseable {
    private final Node node;
    private final HeapChannels channels;

    End(int id, String transport, @Nullable BlockCarrier carrier) {
      String listen = transport.equals("tcp") ? "127.0.0.1:0" : "again-" + id + "-" + hashCode();
      node =
          Node.open(
              NodeConfig.builder(id)
                  .transport(transport)
                  .listen(listen)
                  .peers(directory)
                  .requestTimeout(PATIENCE)
                  .listener(id == 1 ? new Losses() : new NodeListener() {})
                  .build());
      directory.put(id, String.valueOf(node.address()));
      HeapCodec codec = HeapCodec.builder().acceptPackage("org.ringwire.heap").build();
      ChannelOptions options = ChannelOptions.DEFAULT.withBlockBytes(4096).withTimeout(PATIENCE);
      channels =
          carrier == null
              ? HeapChannels.of(node, codec, options)
              : HeapChannels.of(node, codec, options, carrier);
    }

    @Override
    public void close() {
      channels.close();
      node.close();
    }
  }

  @AfterEach
  void close() {
    for (End end : new End[] {one, two}) {
      if (end != null) {
        end.close();
      }
    }
    left.close();
    right.close();
  }

  private HeapChannel open(String transport, boolean isCarried) {
    End sender = new End(1, transport, isCarried ? left : null);
    one = sender;
    two = new End(2, transport, isCarried ? right : null);
    HeapChannel channel = sender.channels.to(2);
    channel.writeObject(new Samples.Circle(1));
    return channel;
  }

  /** The sender has heard of the end when this returns. */
  private HeapChannel restart(String transport, boolean isCarried) throws InterruptedException {
    End old = two;
    if (old != null) {
      old.close();
    }
    assertThat(lost.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    End begun = new End(2, transport, isCarried ? right : null);
    two = begun;
    return begun.channels.to(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "loopback", "shm"})
  void shouldBringTheFirstGraphOnce(String transport) throws Exception {
    HeapChannel writing = open(transport, false);
    for (int length : new int[] {1, 100_000, 2_000_000}) {
      HeapChannel reading = restart(transport, false);

      writing.writeObject(new Object[] {new Samples.Circle(length), new long[length]});
      writing.writeObject("the next");

      Object[] first = (Object[]) reading.readObject();
      assertThat(((Samples.Circle) first[0]).radius()).isEqualTo(length);
      assertThat((long[]) first[1]).hasSize(length);
      assertThat(reading.readObject()).isEqualTo("the next");
      assertThat(reading.isReadable()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldBringAllKindsAfterAPause(boolean isCarried) throws Exception {
    HeapChannel writing = open("tcp", isCarried);

    HeapChannel reading = restart("tcp", isCarried);
    Thread.sleep(PAUSE_MS);
    writing.writeIterable(List.of("a", "b"));
    assertThat(reading.readIterable()).containsExactly("a", "b");

    reading = restart("tcp", isCarried);
    Thread.sleep(PAUSE_MS);
    writing.waitHandle(writing.writeObjectAsync("later"));
    assertThat(reading.readObject()).isEqualTo("later");
  }
}
