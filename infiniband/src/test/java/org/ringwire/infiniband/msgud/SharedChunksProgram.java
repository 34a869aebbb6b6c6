package org.ringwire.infiniband.msgud;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.Ignoring;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.TransportConfig;

/**
 * Links that have always more to send that lies in no ring take what all share for that; then
 * another one has a little.
 */
public final class SharedChunksProgram {

  private static final int LENGTH = 1 << 20;
  private static final int TIMES = 10;
  private static final int BUSY = 4;
  private static final long LITTLE = 32 << 20; // beside what goes through while a thread waits

  private SharedChunksProgram() {}

  /** An end of a link; what it sends never lies in a ring. */
  private static final class Stream extends Ignoring implements OutboundSource {
    private final MemorySegment memory = Arena.global().allocate(LENGTH);
    private final ByteBuffer view = memory.asByteBuffer();
    private final CompletableFuture<Link> opened = new CompletableFuture<>();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong carried; // by the others
    private volatile long carriedBefore; // what is received here
    private long left; // guarded by this

    Stream(AtomicLong carried) {
      this.carried = carried;
    }

    @Override
    public void opened(Link link) {
      opened.complete(link);
    }

    @Override
    public void received(MemorySegment from, long offset, long length) {
      carriedBefore = carried.get();
      received.addAndGet(length);
    }

    @Override
    public void writable() {
      write();
    }

    synchronized void send(long bytes) {
      left += bytes;
      write();
    }

    private synchronized void write() {
      try {
        boolean _ = link().write(this);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    Link link() {
      return opened.orTimeout(20, TimeUnit.SECONDS).join();
    }

    @Override
    public long next(OutboundRanges ranges) {
      if (left > 0) {
        ranges.add(memory, view, 0, Math.min(left, LENGTH));
      }
      return ranges.bytes();
    }

    @Override
    public void sent(long bytes) {
      left -= bytes;
      carried.addAndGet(bytes);
    }

    @Override
    public void completed(long bytes) {}
  }

  /** Prints how many bytes they carry at most before that has arrived, and whether they are few. */
  public static void main(String... args) throws IOException {
    AtomicLong carried = new AtomicLong();
    long most = 0;
    Queue<Stream> ends = new ConcurrentLinkedQueue<>();
    try (UdTransport from = open(1);
        UdTransport to = open(2)) {
      String address = to.listen("127.0.0.1:0", _ -> ends.remove());
      for (int i = 0; i < BUSY; i++) {
        connect(from, address, ends, new Stream(carried)).send(Long.MAX_VALUE);
      }
      Stream end = new Stream(carried);
      Stream little = connect(from, address, ends, end);
      Awaiting.await("all in use", from.adapter().chunks()::isExhausted);
      for (int i = 1; i <= TIMES; i++) {
        int count = i;
        long before = carried.get();
        little.send(1);
        Awaiting.await("arrived", () -> end.received.get() == count);
        most = Math.max(most, end.carriedBefore - before);
      }
      System.out.println("carried meanwhile: " + most + ", little: " + (most < LITTLE));
      System.exit(0); // in the midst of the others
    }
  }

  private static Stream connect(UdTransport from, String address, Queue<Stream> ends, Stream end) {
    Stream made = new Stream(end.carried);
    ends.add(end);
    from.connect(address, made);
    Link _ = made.link();
    return made;
  }

  private static UdTransport open(int id) {
    return UdProvider.open(
        new TransportConfig(id, 1, IdleStrategy.parking(), 1 << 22, Duration.ofSeconds(10)),
        (inner, _) -> inner);
  }
}
