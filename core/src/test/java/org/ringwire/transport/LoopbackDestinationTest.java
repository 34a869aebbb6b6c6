package org.ringwire.transport;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.loopback.LoopbackTransportProvider;

/** What arrives over loopback goes where the handler wants it. */
@ExtendWith(NodeWatcher.class)
class LoopbackDestinationTest {

  private static final int LENGTH = 100_000;

  /** Wants everything after the first bytes in buffers of its own, of which every third is none. */
  private static final class Collector implements LinkHandler {
    private final byte[] bytes = new byte[LENGTH];
    private int count;
    private int inDestination;
    private int asked;
    private @Nullable ByteBuffer destination;
    volatile @Nullable Link link;
    volatile boolean ended;
    volatile int arrived;

    @Override
    public void opened(Link opened) {
      link = opened;
    }

    @Override
    public void received(MemorySegment memory, long offset, long length) {
      MemorySegment.copy(memory, JAVA_BYTE, offset, bytes, count, (int) length);
      count += (int) length;
      arrived = count;
    }

    @Override
    public @Nullable ByteBuffer destination() {
      destination =
          count == 0 || ++asked % 3 == 0
              ? null
              : ByteBuffer.wrap(bytes, count, Math.min(700, LENGTH - count));
      return destination;
    }

    @Override
    public void receivedInDestination(int length) {
      ByteBuffer wanted = destination;
      assertThat(wanted).isNotNull();
      assertThat(wanted.position()).isEqualTo(count + length);
      count += length;
      inDestination += length;
      arrived = count;
    }

    @Override
    public void writable() {}

    @Override
    public void closed(@Nullable Throwable cause) {
      ended = true;
    }
  }

  @Test
  void shouldPutBytesWhereTheHandlerWantsThem() throws IOException {
    TransportProvider provider = new LoopbackTransportProvider();
    Collector sender = new Collector();
    Collector receiver = new Collector();
    try (Transport one = provider.open(config(1));
        Transport two = provider.open(config(2));
        PatternSource source = new PatternSource(3, 5000)) {
      String address = one.listen("collector", remote -> receiver);
      two.connect(address, sender);
      Awaiting.await("open", () -> sender.link != null && receiver.link != null);
      Link link = java.util.Objects.requireNonNull(sender.link);
      source.offer(link, LENGTH);
      Awaiting.await(
          "all bytes",
          () -> {
            try {
              source.drain(link);
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
            return receiver.arrived == LENGTH;
          });
      link.close();
      Awaiting.await("the end", () -> sender.ended && receiver.ended);
    }
    for (int position = 0; position < LENGTH; position++) {
      assertThat(receiver.bytes[position]).isEqualTo(PatternSource.at(position));
    }
    assertThat(receiver.inDestination).isGreaterThan(LENGTH / 20);
  }

  private static TransportConfig config(int nodeId) {
    return new TransportConfig(nodeId, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(5));
  }
}
