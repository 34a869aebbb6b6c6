package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.WaitInterruptedException;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** Carriers that do not take back memory that a peer may write into. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class UnrevokedMemoryTest {
  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final MemoryCarrier left = new MemoryCarrier(1);
  private final MemoryCarrier right = new MemoryCarrier(2);

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
    left.close();
    right.close();
  }

  private HeapChannel channel(int id, BlockCarrier carrier) {
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport("loopback")
                .listen("unrevoked-" + id + "-" + hashCode())
                .peers(directory)
                .build());
    open.add(node);
    directory.put(id, String.valueOf(node.address()));
    ChannelOptions options =
        ChannelOptions.DEFAULT.withBlockBytes(4096).withTimeout(Duration.ofSeconds(30));
    HeapChannels channels = HeapChannels.of(node, HeapCodec.builder().build(), options, carrier);
    open.add(channels);
    return channels.to(3 - id);
  }

  /** Does not take memory back at the first attempts. */
  private static BlockCarrier clinging(MemoryCarrier carrier, AtomicInteger failures) {
    return new BlockCarrier() {
      @Override
      public String kind() {
        return carrier.kind();
      }

      @Override
      public Announcement announce(MemorySegment memory, Listener listener) {
        Announcement announced = carrier.announce(memory, listener);
        return new Announcement() {
          @Override
          public byte[] descriptor() {
            return announced.descriptor();
          }

          @Override
          public void close() {
            if (failures.getAndDecrement() > 0) {
              throw new MessagingException("on purpose");
            }
            announced.close();
          }
        };
      }

      @Override
      public Target open(int nodeId, byte[] descriptor) {
        return carrier.open(nodeId, descriptor);
      }
    };
  }

  @Test
  void shouldGoOnWithOtherMemoryWhereACarrierDoesNotRevokeSome() throws Exception {
    HeapChannel one = channel(1, left);
    HeapChannel two = channel(2, clinging(right, new AtomicInteger(1)));
    Iterable<byte[]> endless = () -> Stream.generate(UnrevokedMemoryTest::interrupting).iterator();
    assertThatThrownBy(() -> one.writeIterable(endless))
        .isInstanceOf(WaitInterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();

    CompletableFuture<Void> next = ChannelSystemTest.start(() -> one.writeObject("next"));
    assertThatThrownBy(two::readObject).isInstanceOf(GraphLostException.class);
    assertThat(two.readObject()).isEqualTo("next");
    ChannelSystemTest.await(next);
    one.writeObject(new byte[15 << 20]); // of a window of 20

    assertThat((byte[]) two.readObject()).hasSize(15 << 20);
  }

  private static byte[] interrupting() {
    Thread.currentThread().interrupt();
    return new byte[1000];
  }

  @Test
  void shouldRevokeAllOtherMemoryWhenChannelsAreClosed() throws Exception {
    HeapChannel one = channel(1, left);
    HeapChannel _ = channel(2, clinging(right, new AtomicInteger(1)));
    one.writeObject(new byte[5 << 20]);
    assertThat(right.announcedBytes.get()).isGreaterThan(2 << 20);

    open.removeLast().close();

    assertThat(right.announcedBytes.get()).isZero();
  }
}
