package org.ringwire.transport;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/**
 * A link between a real one and a handler, with faults in both directions. A handler of messages
 * that runs on the reading thread can ask which link it reads: {@link #current}.
 */
public final class FaultyLink implements Link, LinkHandler {

  private static final ThreadLocal<Long> CURRENT = ThreadLocal.withInitial(() -> 0L);

  private final FaultyTransport transport;
  private final Faults faults;
  private final LinkHandler handler;
  private final long serial;
  private final Faults.Dice reading;
  private final Faults.Dice writing;
  private final long dropAfter;
  private final long dropAfterWritten;
  private Link real;
  private long received;
  private long written;
  private boolean ended;

  FaultyLink(FaultyTransport transport, Faults faults, LinkHandler handler, long serial) {
    this.transport = transport;
    this.faults = faults;
    this.handler = handler;
    this.serial = serial;
    reading = new Faults.Dice(faults, 2 * serial);
    writing = new Faults.Dice(faults, 2 * serial + 1);
    dropAfter = reading.draw(faults.dropAfter());
    dropAfterWritten = writing.draw(faults.dropAfterWritten());
  }

  /** Number of the link that this thread reads, from 1; 0 if it reads none. */
  public static long current() {
    return CURRENT.get();
  }

  /** Offers the first bytes of what another source offers, and then no more. */
  private static final class ShortSource implements OutboundSource {
    private final OutboundSource whole;
    private long room;
    private long taken;
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
      taken += bytes;
      whole.sent(bytes);
    }

    @Override
    public void completed(long bytes) {
      whole.completed(bytes);
    }
  }

  @Override
  public boolean write(OutboundSource source) throws IOException {
    if (transport.isHealed() || faults.equals(Faults.NONE)) {
      return real.write(source);
    }
    long left = dropAfterWritten - written;
    if (left <= 0) {
      throw new IOException("the connection is cut, on purpose");
    }
    boolean stalled = writing.stalls();
    ShortSource part =
        new ShortSource(source, stalled ? 1 : Math.min(left, writing.draw(faults.maxWrite())));
    boolean all = real.write(part);
    written += part.taken;
    if (all && part.cut) {
      transport.post(() -> {
        if (stalled) {
          writing.stall();
        }
        reportWritable();
      });
      return false;
    }
    return all;
  }

  /** The link between this one and the peer. */
  Link real() {
    return real;
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
  public boolean leadsOthers() {
    return real.leadsOthers();
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
  public void resumeWriting() {
    real.resumeWriting();
  }

  @Override
  public boolean completesLate() {
    return real.completesLate();
  }

  @Override
  public void tellOfCompletions() {
    real.tellOfCompletions();
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
    long outer = CURRENT.get(); // over loopback, what this leads to may be read inside of it
    CURRENT.set(serial);
    try {
      hand(memory, offset, length);
    } finally {
      CURRENT.set(outer);
    }
  }

  private void hand(MemorySegment memory, long offset, long length) {
    long done = 0;
    while (done < length) {
      boolean healed = transport.isHealed();
      long part = length - done;
      if (!healed) {
        reading.delay();
        part = Math.min(reading.draw(faults.maxRead()), part);
        if (received + part > dropAfter) {
          throw new IllegalStateException("the connection is cut, on purpose");
        }
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
    long outer = CURRENT.get();
    CURRENT.set(serial);
    try {
      handler.receivedInDestination(length);
    } finally {
      CURRENT.set(outer);
    }
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
