package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.WaitInterruptedException;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** Carriers that do not take back memory that a peer may write into. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class UnrevokedMemoryTest {
  private final TestChannels channels = new TestChannels();

  @AfterEach
  void close() {
    channels.close();
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
    HeapChannel one = channels.open(1, channels.left).to(2);
    HeapChannel two = channels.open(2, clinging(channels.right, new AtomicInteger(1))).to(1);
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
    HeapChannel one = channels.open(1, channels.left).to(2);
    HeapChannels two = channels.open(2, clinging(channels.right, new AtomicInteger(1)));
    HeapChannel _ = two.to(1);
    one.writeObject(new byte[5 << 20]);
    assertThat(channels.right.announcedBytes.get()).isGreaterThan(1 << 20);

    two.close();

    assertThat(channels.right.announcedBytes.get()).isZero();
  }
}
