package org.ringwire.transport;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/** A link between a real one and a handler, with faults in both directions. */
final class FaultyLink implements Link, LinkHandler {

  private final FaultyTransport transport;
  private final Faults faults;
  private final LinkHandler handler;
  private Link real;
  private long received;
  private boolean ended;

  FaultyLink(FaultyTransport transport, Faults faults, LinkHandler handler) {
    this.transport = transport;
    this.faults = faults;
    this.handler = handler;
  }

  /** Offers the first bytes of what another source offers, and then no more. */
  private static final class ShortSource implements OutboundSource {
    private final OutboundSource whole;
    private long room;
    private boolean cut;

    ShortSource(OutboundSource whole, long room) {
      this.whole = whole;
      this.room = room;
    }

    @Override
    public long next(OutboundRanges ranges) {
      OutboundRanges all = new OutboundRanges(16);
      cut = whole.next(all) > room;
      long left = room;
      for (int i = 0; i < all.count() && left > 0; i++) {
        long length = Math.min(left, all.length(i));
        ranges.add(all.segment(i), all.buffers()[i], all.offset(i), length);
        left -= length;
      }
      return ranges.bytes();
    }

    @Override
    public void sent(long bytes) {
      room -= bytes;
      whole.sent(bytes);
    }

    @Override
    public void completed(long bytes) {
      whole.completed(bytes);
    }
  }

  @Override
  public boolean write(OutboundSource source) throws IOException {
    if (faults.maxWrite() == Integer.MAX_VALUE) {
      return real.write(source);
    }
    ShortSource part = new ShortSource(source, faults.maxWrite());
    boolean all = real.write(part);
    if (all && part.cut) {
      transport.post(this::reportWritable);
      return false;
    }
    return all;
  }

  private void reportWritable() {
    synchronized (this) {
      if (ended) {
        return;
      }
      handler.writable();
    }
  }

  @Override
  public boolean lead(BooleanSupplier done, long deadlineNs) {
    return real.lead(done, deadlineNs);
  }

  @Override
  public void wakeLeader() {
    real.wakeLeader();
  }

  @Override
  public void resumeReading() {
    real.resumeReading();
  }

  @Override
  public void close() {
    real.close();
  }

  @Override
  public String remote() {
    return real.remote();
  }

  @Override
  public void opened(Link link) {
    real = link;
    handler.opened(this);
  }

  @Override
  public void received(MemorySegment memory, long offset, long length) {
    long done = 0;
    while (done < length) {
      faults.delay();
      long part = Math.min(faults.maxRead(), length - done);
      if (received + part > faults.dropAfter()) {
        throw new IllegalStateException("the connection is cut, on purpose");
      }
      handler.received(memory, offset + done, part);
      received += part;
      done += part;
    }
  }

  @Override
  public ByteBuffer destination() {
    return faults.maxRead() == Integer.MAX_VALUE ? handler.destination() : null;
  }

  @Override
  public void receivedInDestination(int length) {
    handler.receivedInDestination(length);
  }

  @Override
  public void writable() {
    handler.writable();
  }

  @Override
  public void closed(Throwable cause) {
    synchronized (this) {
      ended = true;
    }
    handler.closed(cause);
  }
}
