package org.ringwire.infiniband.msgud;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.device.VerbsCounters;
import org.ringwire.infiniband.transport.InfinibandTransportProvider;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/** Links over datagrams of a device. */
@Tag("rdma")
class UdTransportTest {

  private static final int RING = 1 << 16;
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  private final List<AutoCloseable> resources = new ArrayList<>();

  @AfterEach
  void closeEverything() throws Exception {
    for (AutoCloseable resource : resources.reversed()) {
      resource.close();
    }
  }

  /** Counts, and compares the bytes with those of the ring. */
  private static final class Probe implements LinkHandler {
    final CompletableFuture<Link> opened = new CompletableFuture<>();
    final CompletableFuture<String> closed = new CompletableFuture<>();
    final AtomicLong received = new AtomicLong();
    final AtomicLong wrong = new AtomicLong();
    volatile @Nullable RingSource source;

    @Override
    public void opened(Link link) {
      opened.complete(link);
    }

    @Override
    public void received(MemorySegment memory, long offset, long length) {
      long start = received.get();
      for (long i = 0; i < length; i++) {
        if (memory.get(JAVA_BYTE, offset + i) != (byte) ((start + i) % RING % 251)) {
          wrong.incrementAndGet();
        }
      }
      received.addAndGet(length);
    }

    @Override
    public @Nullable ByteBuffer destination() {
      return null;
    }

    @Override
    public void receivedInDestination(int length) {}

    @Override
    public void writable() {
      RingSource current = source;
      if (current != null) {
        current.writable();
      }
    }

    @Override
    public void closed(@Nullable Throwable cause) {
      closed.complete(String.valueOf(cause));
      opened.completeExceptionally(new IOException(String.valueOf(cause)));
    }
  }

  /** Offers all of a ring again and again, up to a number of bytes; one thread at a time writes. */
  private static final class RingSource implements OutboundSource {
    private final MemorySegment ring;
    private final ByteBuffer view;
    private final long total;
    private final Link link;
    private final AtomicLong sent = new AtomicLong();
    final AtomicLong completed = new AtomicLong();

    RingSource(Link link, MemorySegment ring, long total) {
      this.link = link;
      this.ring = ring;
      this.total = total;
      view = ring.asByteBuffer();
    }

    synchronized void writable() {
      try {
        boolean _ = link.write(this);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public long next(OutboundRanges ranges) {
      long offset = sent.get() % RING;
      long length = Math.min(total - sent.get(), RING - offset);
      if (length > 0) {
        ranges.add(ring, view, offset, length);
      }
      return ranges.bytes();
    }

    @Override
    public void sent(long bytes) {
      sent.addAndGet(bytes);
    }

    @Override
    public void completed(long bytes) {
      completed.addAndGet(bytes);
    }
  }

  private static TransportConfig config(int nodeId) {
    return new TransportConfig(
        nodeId, 1, IdleStrategy.adaptive(), 4 * RING, Duration.ofSeconds(30));
  }

  private UdTransport open(int nodeId, DatagramSink.Around around, String... settings) {
    UdTransport transport = UdProvider.open(config(nodeId), around, settings);
    resources.add(transport);
    return transport;
  }

  private static void await(String what, BooleanSupplier condition) {
    long endNs = System.nanoTime() + PATIENCE_NS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - endNs).as(what).isNegative();
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void transfer(UdTransport one, UdTransport two, long total) throws Exception {
    Probe client = new Probe();
    Probe server = new Probe();
    one.connect(two.listen("127.0.0.1:0", remote -> server), client);
    Link link = client.opened.get(60, TimeUnit.SECONDS);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment ring = one.allocateRing(link, arena, RING);
      for (int i = 0; i < RING; i++) {
        ring.set(JAVA_BYTE, i, (byte) (i % 251));
      }
      RingSource source = new RingSource(link, ring, total);
      client.source = source;
      source.writable();
      await("received", () -> server.received.get() == total);
      await("completed", () -> source.completed.get() == total);
      assertThat(server.wrong.get()).isZero();
      link.close();
      assertThat(client.closed.get(60, TimeUnit.SECONDS)).isEqualTo("null");
      assertThat(server.closed.get(60, TimeUnit.SECONDS)).isEqualTo("null");
    }
  }

  /** From the ring where it lies, one queue pair each, and every byte over it. */
  @Test
  void shouldSendFromRingOverOneQueuePair() throws Exception {
    long total = 1_000_000;
    UdTransport one = open(1, (inner, _) -> inner);
    UdTransport two = open(2, (inner, _) -> inner);
    transfer(one, two, total);
    VerbsCounters sent = one.verbsCounters();
    assertThat(sent.sendBytes()).isGreaterThan(total);
    assertThat(sent.sendPosts()).as("chains").isLessThan(sent.sendRequests());
    assertThat(two.verbsCounters().receivedBytes()).isGreaterThan(total);
    await("end of both ends", () -> one.register().isEmpty() && two.register().isEmpty());
    assertThat(one.adapter().handles().count()).isZero();
    assertThat(one.adapter().chunks().isExhausted()).isFalse();
    assertThat(one.thread().refused()).isZero();
  }

  @Test
  @Tag("rdma-slice")
  void shouldLoseNothingWhenTenthOfDatagramsIsLost() throws Exception {
    long total = 300_000;
    DatagramSink.Around lossy = (inner, release) -> new LossySink(inner, release, 0.1);
    UdTransport one = open(1, lossy);
    UdTransport two = open(2, lossy, "sendCompletions", "4", "receiveRequests", "2");
    transfer(one, two, total);
    assertThat(one.verbsCounters().sendBytes()).isGreaterThan(total * 21 / 20);
  }

  /** Both sides say which engine is wanted, and no link is made. */
  @Test
  void shouldRefusePeerWithAnotherEngine() throws Exception {
    UdTransport datagrams = open(1, (inner, _) -> inner);
    Transport connections = new InfinibandTransportProvider().open(config(2));
    resources.add(connections);
    Probe client = new Probe();
    Probe server = new Probe();
    datagrams.connect(connections.listen("127.0.0.1:0", remote -> server), client);
    assertThatThrownBy(() -> client.opened.get(60, TimeUnit.SECONDS))
        .hasMessageContaining("ringwire.ib.engine")
        .hasMessageContaining("accepting=msgrc connecting=msgud");
    assertThat(server.closed.get(60, TimeUnit.SECONDS)).contains("ringwire.ib.engine");
  }
}
