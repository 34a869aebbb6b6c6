package org.ringwire.infiniband.msgrc;

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
import java.util.Objects;
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
import org.ringwire.MessagingException;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.device.StagingPool;
import org.ringwire.infiniband.device.VerbsCounters;
import org.ringwire.infiniband.verbs.SendFlags;
import org.ringwire.infiniband.verbs.SendOpcode;
import org.ringwire.infiniband.verbs.SendRequests;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.TransportConfig;

/** Links over a device, and what the device was asked for. */
@Tag("rdma")
@Tag("rdma-slice")
class IbTransportTest {

  private static final int RING = 1 << 16;
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  private final List<AutoCloseable> resources = new ArrayList<>();

  @AfterEach
  void closeEverything() throws Exception {
    for (AutoCloseable resource : resources.reversed()) {
      resource.close();
    }
  }

  /** Counts, and sums up the bytes with their positions. */
  private static class Probe implements LinkHandler {
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

  private IbTransport open(int nodeId, int ringCapacity, String... settings) {
    IbOptions options =
        IbOptions.of(name -> {
          for (int i = 0; i < settings.length; i += 2) {
            if (name.equals(IbOptions.PREFIX + settings[i])) {
              return settings[i + 1];
            }
          }
          return null;
        });
    IbTransport transport =
        IbTransport.open(
            new TransportConfig(
                nodeId, 1, IdleStrategy.adaptive(), ringCapacity, Duration.ofSeconds(30)),
            options);
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

  private static Link connect(IbTransport from, IbTransport to, Probe client, Probe server)
      throws Exception {
    from.connect(to.listen("127.0.0.1:0", remote -> server), client);
    server.opened.get(60, TimeUnit.SECONDS);
    return client.opened.get(60, TimeUnit.SECONDS);
  }

  private static RingSource send(
      IbTransport from, Link link, Probe client, Arena arena, long total) {
    MemorySegment ring = from.allocateRing(link, arena, RING);
    for (int i = 0; i < RING; i++) {
      ring.set(JAVA_BYTE, i, (byte) (i % 251));
    }
    RingSource source = new RingSource(link, ring, total);
    client.source = source;
    source.writable();
    return source;
  }

  /** Ring memory goes as it lies: one range per request, and not one byte over TCP instead. */
  @Test
  void shouldSendFromRingAndCountEveryByte() throws Exception {
    long total = 3_000_000;
    IbTransport one = open(1, 4 * RING);
    IbTransport two = open(2, 4 * RING);
    Probe client = new Probe();
    Probe server = new Probe();
    Link link = connect(one, two, client, server);
    try (Arena arena = Arena.ofShared()) {
      RingSource source = send(one, link, client, arena, total);
      await("received", () -> server.received.get() == total);
      await("completed", () -> source.completed.get() == total);
      assertThat(server.wrong.get()).isZero();
      VerbsCounters sent = one.verbsCounters();
      assertThat(sent.sendBytes()).isEqualTo(total);
      assertThat(two.verbsCounters().receivedBytes()).isEqualTo(total);
      assertThat(sent.sendRanges()).isEqualTo(sent.sendRequests() - 1); // READY has none
      assertThat(two.verbsCounters().received()).isEqualTo(sent.sendRequests());
      link.close();
      assertThat(client.closed.get(60, TimeUnit.SECONDS)).isEqualTo("null");
      assertThat(server.closed.get(60, TimeUnit.SECONDS)).isEqualTo("null");
    }
  }

  /** One thread posts for all, and queues are tiny: each step waits for another one. */
  @Test
  void shouldSendByOneThreadThroughTinyQueues() throws Exception {
    long total = 200_000;
    String[] tiny = {
      "sendThread",
      "true",
      "sendRequests",
      "2",
      "sendCompletions",
      "2",
      "receiveRequests",
      "2",
      "receiveRanges",
      "2",
      "sliceLength",
      "1024",
      "signalEvery",
      "1"
    };
    IbTransport one = open(1, RING, tiny);
    IbTransport two = open(2, RING, tiny);
    Probe client = new Probe();
    Probe server = new Probe();
    Link link = connect(one, two, client, server);
    try (Arena arena = Arena.ofShared()) {
      RingSource source = send(one, link, client, arena, total);
      await("received", () -> server.received.get() == total);
      await("completed", () -> source.completed.get() == total);
      assertThat(server.wrong.get()).isZero();
      assertThat(one.verbsCounters().sendRequests()).isGreaterThan(total / 2048);
      link.close();
      assertThat(client.closed.get(60, TimeUnit.SECONDS)).isEqualTo("null");
    }
  }

  /** Both ends of the link end, nothing else does, and the next link carries. */
  @Test
  void shouldEndLinkWhosePeerMayNotUseMemory() throws Exception {
    IbTransport one = open(1, RING);
    IbTransport two = open(2, RING);
    Probe client = new Probe();
    Probe server = new Probe();
    IbLink link = (IbLink) connect(one, two, client, server);
    writeWithWrongKey(one, link);
    await(
        "noticed",
        () -> {
          boolean _ = one.completions().tryPoll();
          return client.closed.isDone() && server.closed.isDone();
        });
    one.budget().give(1);
    // A queue pair that allows no writes at all need not look at the key.
    assertThat(client.closed.get()).containsAnyOf("REM_ACCESS_ERR", "REM_INV_REQ_ERR");
    assertThat(server.closed.get()).isNotEqualTo("null");

    IbTransport three = open(3, RING);
    Probe again = new Probe();
    Probe heir = new Probe();
    Link next = connect(one, three, again, heir);
    try (Arena arena = Arena.ofShared()) {
      RingSource source = send(one, next, again, arena, 100_000);
      await("received", () -> heir.received.get() == 100_000);
      await("completed", () -> source.completed.get() == 100_000);
      assertThat(heir.wrong.get()).isZero();
      next.close();
      assertThat(again.closed.get(60, TimeUnit.SECONDS)).isEqualTo("null");
    }
  }

  /** Behind the back of the link: it never writes into memory of the peer. */
  private static void writeWithWrongKey(IbTransport transport, IbLink link) {
    Channel channel = Objects.requireNonNull(link.channel());
    StagingPool.Chunk chunk = Objects.requireNonNull(transport.adapter().smallChunks().take());
    SendRequests write = new SendRequests(transport.adapter().arena(), 1, 1);
    long ignored = 0xffff_ffffL; // of the slots of the link: it is none of its requests
    write.add(
        SendOpcode.RDMA_WRITE, (long) link.number() << Integer.SIZE | ignored, SendFlags.SIGNALED);
    write.addRange(chunk.address(), 8, chunk.key());
    write.remote(chunk.address(), chunk.key() ^ 0x5500);
    transport.budget().takeOne();
    assertThat(channel.queuePair().post(write, 0)).isEqualTo(1);
    chunk.release();
  }

  @Test
  void shouldNameGidOrKeyThatPortDoesNotHave() {
    assertThatThrownBy(() -> open(3, RING, "gid", "10.1.2.3"))
        .isInstanceOf(MessagingException.class)
        .hasMessageContaining("10.99.0.1");
    assertThatThrownBy(() -> open(3, RING, "pkey", "0x1234"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ffff");
  }
}
