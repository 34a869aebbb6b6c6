package org.ringwire.infiniband.link;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.ringwire.testing.Ignoring;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.Transport;

/** An end of a link; what it sends never lies in a ring. */
public final class CopiedStream extends Ignoring implements OutboundSource {

  private static final int LENGTH = 1 << 20;
  private static final MemorySegment MEMORY = Arena.global().allocate(LENGTH);

  private final ByteBuffer view = MEMORY.asByteBuffer();
  private final CompletableFuture<Link> opened = new CompletableFuture<>();
  private final AtomicLong received = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicLong carried; // by all that count here
  private final int most;
  private volatile long carriedBefore; // what is received here
  private long left; // guarded by this

  /** What it sends is counted there, too. */
  public CopiedStream(AtomicLong carried) {
    this(carried, LENGTH);
  }

  /**
   * The same.
   *
   * @param most bytes that it offers at once
   */
  public CopiedStream(AtomicLong carried, int most) {
    this.carried = carried;
    this.most = most;
  }

  /** Opens a link from an end of one transport to a new one of another, which it returns. */
  public static CopiedStream connect(Transport from, Transport to, CopiedStream end)
      throws IOException {
    CopiedStream there = new CopiedStream(new AtomicLong());
    from.connect(to.listen("127.0.0.1:0", _ -> there), end);
    Link _ = end.link();
    Link _ = there.link();
    return there;
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
  public void closed(@Nullable Throwable cause) {
    closed.set(true);
  }

  @Override
  public void writable() {
    write();
  }

  /** Has more to send. */
  public synchronized void send(long bytes) {
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

  /** The link, once it is open. */
  public Link link() {
    return opened.orTimeout(20, TimeUnit.SECONDS).join();
  }

  /** Bytes that have arrived here. */
  public long received() {
    return received.get();
  }

  /** What was carried when the last of them arrived. */
  public long carriedBefore() {
    return carriedBefore;
  }

  /** Whether the link has ended. */
  public boolean isClosed() {
    return closed.get();
  }

  @Override
  public long next(OutboundRanges ranges) {
    if (left > 0) {
      ranges.add(MEMORY, view, 0, Math.min(left, most));
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
