package org.ringwire.engine.outbound.encoding;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.ring.ReceiveBufferPool;

/**
 * Memory to encode small messages in that may not be encoded in a ring; one sender's. Many threads
 * may send at the same time: each takes the buffer of a slot of its own, mostly, which costs an
 * exchange that nobody else is in the way of, where the pool would cost several of words that all
 * of them write.
 *
 * <p>Any thread. A buffer is owned by who has taken it out of its slot, or by nobody while it lies
 * there; the exchange is volatile, so what is written before a buffer is put back happens before it
 * is taken again. After {@link #close} nothing stays in a slot: who puts a buffer there looks
 * afterwards whether this was closed, and who closes empties the slots afterwards; one of the two
 * finds it.
 */
public final class ScratchBuffers implements AutoCloseable {

  /** Messages up to so many bytes are encoded here. */
  public static final int MAX_LENGTH = 16 << 10;

  private static final int SLOTS = 16;

  private final ReceiveBufferPool pool;
  private final AtomicReferenceArray<@Nullable ReceiveBuffer> slots =
      new AtomicReferenceArray<>(SLOTS);
  private volatile boolean closed;

  public ScratchBuffers(ReceiveBufferPool pool) {
    this.pool = pool;
  }

  /**
   * A buffer of {@link #MAX_LENGTH} bytes, which the caller owns and gives back.
   *
   * @param threadId of the calling thread
   */
  public ReceiveBuffer take(long threadId) {
    ReceiveBuffer buffer = slots.getAndSet(slot(threadId), null);
    return buffer == null ? pool.acquire(MAX_LENGTH) : buffer;
  }

  /** Gives a buffer back that this thread has taken. */
  public void giveBack(long threadId, ReceiveBuffer buffer) {
    ReceiveBuffer other = slots.getAndSet(slot(threadId), buffer);
    if (other != null) {
      other.release();
    }
    if (closed) { // after the buffer was put there
      empty();
    }
  }

  /** Releases what lies here; it is acquired again when it is needed. */
  public void empty() {
    for (int slot = 0; slot < SLOTS; slot++) {
      ReceiveBuffer buffer = slots.getAndSet(slot, null);
      if (buffer != null) {
        buffer.release();
      }
    }
  }

  @Override
  public void close() {
    closed = true; // before the slots are emptied
    empty();
  }

  private static int slot(long threadId) {
    return (int) threadId & (SLOTS - 1);
  }
}
