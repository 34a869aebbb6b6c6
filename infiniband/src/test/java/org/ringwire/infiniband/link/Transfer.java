package org.ringwire.infiniband.link;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.Ignoring;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.Transport;

/**
 * A link between two transports, whatever their engine, and bytes of a ring that go over it: each
 * arrives once, at its place, and is released to the sender.
 */
public final class Transfer implements AutoCloseable {

  /** Bytes of the ring. */
  public static final int RING = 1 << 16;

  private static final int PERIOD = 251; // of the bytes of the ring: no power of two

  private final Transport from;
  private final Probe client = new Probe();
  private final Probe server = new Probe();
  private final Arena arena = Arena.ofShared();

  /** Counts, and compares the bytes with those of the ring. */
  private static final class Probe extends Ignoring {
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
        if (memory.get(JAVA_BYTE, offset + i) != (byte) ((start + i) % RING % PERIOD)) {
          wrong.incrementAndGet();
        }
      }
      received.addAndGet(length);
    }

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
  private static class RingSource implements OutboundSource {
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

  /** Begins to connect two transports. */
  public Transfer(Transport from, Transport to) throws IOException {
    this.from = from;
    from.connect(to.listen("127.0.0.1:0", remote -> server), client);
  }

  /** The link of the side that connects, when both are open. */
  public Link link() throws Exception {
    server.opened.get(60, TimeUnit.SECONDS);
    return client.opened.get(60, TimeUnit.SECONDS);
  }

  /** Sends so many bytes, once; returns when all have arrived, and are released. */
  public void carry(long total) throws Exception {
    Link link = link();
    RingSource source = new RingSource(link, ring(link), total);
    client.source = source;
    source.writable();
    Awaiting.await("received", () -> server.received.get() == total);
    Awaiting.await("completed", () -> source.completed.get() == total);
    assertThat(server.wrong.get()).isZero();
  }

  /** Sends so many bytes of a source that fails when it hears that some are completed. */
  public void failWhenCompleted(long total) throws Exception {
    Link link = link();
    RingSource source =
        new RingSource(link, ring(link), total) {
          @Override
          public void completed(long bytes) {
            throw new IllegalStateException("completed on purpose");
          }
        };
    client.source = source;
    source.writable();
  }

  private MemorySegment ring(Link link) {
    MemorySegment ring = from.allocateRing(link, arena, RING);
    for (int i = 0; i < RING; i++) {
      ring.set(JAVA_BYTE, i, (byte) (i % PERIOD));
    }
    return ring;
  }

  /** Closes the link: both sides hear of an orderly end. */
  public void endInOrder() throws Exception {
    link().close();
    assertThat(clientClosed()).isEqualTo("null");
    assertThat(serverClosed()).isEqualTo("null");
  }

  /** Whether both sides have heard of the end. */
  public boolean isOver() {
    return client.closed.isDone() && server.closed.isDone();
  }

  /** Why the link has ended, as the side hears that has connected; waits for the end. */
  public String clientClosed() throws Exception {
    return client.closed.get(60, TimeUnit.SECONDS);
  }

  /** Why the link has ended, as the other side hears. */
  public String serverClosed() throws Exception {
    return server.closed.get(60, TimeUnit.SECONDS);
  }

  /** Frees the ring. */
  @Override
  public void close() {
    arena.close();
  }
}
