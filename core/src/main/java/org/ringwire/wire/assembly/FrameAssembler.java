package org.ringwire.wire.assembly;

import static org.ringwire.wire.FrameLayout.HEADER_LENGTH;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.ringwire.ring.LongCopy;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.FrameRules;
import org.ringwire.wire.ProtocolException;

/**
 * Turns the bytes of a link into frames, whatever the pieces they arrive in.
 *
 * <p>Frames that are complete in the transport's memory are handed out in place. The bytes of an
 * incomplete one are collected: up to 7 bytes of a header in a word, from then on in a buffer of
 * the pool: one that lies idle and holds the whole frame, or else one whose size follows what has
 * arrived and never what was announced: at most {@value #PROMPT_LENGTH} bytes, or {@value #GROWTH}
 * times the bytes received (counting up to {@value #DESTINATION_LENGTH} that are about to be read).
 *
 * <p>Every header is checked as soon as its 8 bytes are there, before any memory is taken for it,
 * and so may the consumer check it ({@link FrameConsumer#begins}). A frame that breaks a rule ends
 * the assembler with a {@link ProtocolException}; so does an exception of the consumer. What comes
 * after the end is ignored.
 *
 * <p>One thread at a time, each call happening before the next: the same promise that a transport
 * gives for the input of a link. The consumer may call {@link #maxFrameLength}, {@link
 * #takeFrameBuffer} and {@link #close} from within its call. {@link #receivedBytes} may be read by
 * any thread: it is written with opaque mode by the one thread, so that a reader sees whole values
 * that only grow, without an order to anything else.
 */
public final class FrameAssembler implements AutoCloseable {

  /** An incomplete frame up to this length gets all of its memory at once. */
  public static final int PROMPT_LENGTH = 64 << 10;

  /** A longer one gets at most so many times the bytes that have arrived. */
  static final int GROWTH = 4;

  private static final int MOST = FrameLayout.MAX_LENGTH - FrameLayout.CORRELATION_LENGTH;

  /** The shortest rest of a frame that is worth a read of its own. */
  static final int DESTINATION_LENGTH = 32 << 10;

  private static final VarHandle RECEIVED_BYTES;

  static {
    try {
      RECEIVED_BYTES =
          MethodHandles.lookup().findVarHandle(FrameAssembler.class, "receivedBytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final FrameConsumer consumer;
  private final ReceiveBufferPool pool;
  private int maxFrameLength;
  private boolean closed;
  private long receivedBytes;

  /** Bytes held of an incomplete frame; below 8 they are in {@link #header} alone. */
  private long pending;

  private long header;
  private long occupied;
  private @Nullable ReceiveBuffer partial;

  /** The buffer of the frame that the consumer is being shown. */
  private @Nullable ReceiveBuffer delivered;

  /**
   * An assembler for one link.
   *
   * @param consumer called on the thread that calls {@link #received}
   * @param maxFrameLength see {@link #maxFrameLength(int)}
   * @param pool supplies memory for incomplete frames; gets all of it back
   */
  public FrameAssembler(FrameConsumer consumer, int maxFrameLength, ReceiveBufferPool pool) {
    this.consumer = consumer;
    this.pool = pool;
    this.maxFrameLength = checkLimit(maxFrameLength);
  }

  /**
   * Sets the limit for messages, requests and responses whose header has not been read yet, those
   * later in the same piece of input included; frames of other kinds are as long as the protocol
   * lets them be.
   *
   * @param length bytes, header included and padding and correlation id excluded; 8 to {@link
   *     FrameLayout#MAX_LENGTH} without a correlation id
   */
  public void maxFrameLength(int length) {
    maxFrameLength = checkLimit(length);
  }

  /**
   * Takes bytes of the link; hands out every frame that is complete with them. The memory may have
   * any alignment and is not kept.
   *
   * @throws ProtocolException if a frame breaks a rule; the frames before it were handed out
   */
  public void received(MemorySegment memory, long offset, long length) {
    if (closed) {
      return;
    }
    RECEIVED_BYTES.setOpaque(this, receivedBytes + length); // read by receivedBytes()
    boolean intact = false;
    try {
      long end = offset + length;
      long next = pending == 0 ? offset : collect(memory, offset, end);
      long rest = next == end ? end : handOut(memory, next, end);
      if (rest != end && !closed) {
        collect(memory, rest, end);
      }
      intact = true;
    } finally {
      if (!intact) {
        close();
      }
    }
  }

  /** Whether there is a {@link #destination()}: to make it may take its time. */
  public boolean hasDestination() {
    return !closed && partial != null && occupied - pending >= DESTINATION_LENGTH;
  }

  /**
   * Where the rest of a long frame should go, so that the transport reads it without a copy in
   * between.
   *
   * @return null if nothing is missing, or too little for a read of its own; else a buffer with
   *     position and limit set, owned by this assembler and valid until its next call
   */
  public @Nullable ByteBuffer destination() {
    if (!hasDestination()) {
      return null;
    }
    ReceiveBuffer buffer = ensureRoom(pending + DESTINATION_LENGTH);
    int limit = (int) Math.min(buffer.capacity(), occupied);
    return buffer.buffer().limit(limit).position((int) pending);
  }

  /**
   * Takes bytes that the transport has put into the {@link #destination()}, and hands the frame out
   * when they were its last.
   *
   * @throws ProtocolException if the frame breaks a rule
   */
  public void receivedInDestination(int length) {
    if (closed) {
      return;
    }
    ReceiveBuffer buffer = partial;
    if (buffer == null || length < 0 || pending + length > Math.min(buffer.capacity(), occupied)) {
      throw new IllegalStateException("more bytes than the destination had room for: " + length);
    }
    RECEIVED_BYTES.setOpaque(this, receivedBytes + length); // read by receivedBytes()
    pending += length;
    boolean intact = false;
    try {
      deliverIfComplete(buffer);
      intact = true;
    } finally {
      if (!intact) {
        close();
      }
    }
  }

  /**
   * Within a call of the consumer: hands over the buffer that holds the frame being shown, at
   * offset 0, and nothing else. The caller releases it.
   *
   * @return null if the frame lies in the transport's memory; it must be copied to be kept
   */
  public @Nullable ReceiveBuffer takeFrameBuffer() {
    ReceiveBuffer buffer = delivered;
    delivered = null;
    return buffer;
  }

  /** Bytes that have arrived of a frame that is not complete; 0 between frames. */
  public long pendingBytes() {
    return pending;
  }

  /** Bytes that have arrived of a frame by a grant that is not complete; any thread, a hint. */
  public long arrivedOfGranted() {
    return partial != null && FrameLayout.isGranted(header) ? pending : 0;
  }

  /** Bytes that have arrived on the link, complete frames or not; from any thread. */
  public long receivedBytes() {
    return (long) RECEIVED_BYTES.getOpaque(this); // written by received(), receivedInDestination()
  }

  /**
   * Drops an incomplete frame and returns its memory. What arrives later is ignored. Idempotent.
   */
  @Override
  public void close() {
    closed = true;
    maxFrameLength = 0; // no header passes: ends the loop in handOut
    pending = 0;
    ReceiveBuffer buffer = partial;
    partial = null;
    if (buffer != null) {
      buffer.release();
    }
  }

  /** Shows the consumer the frames that are complete; returns where the incomplete one begins. */
  private long handOut(MemorySegment memory, long offset, long end) {
    long at = offset;
    while (end - at >= HEADER_LENGTH) {
      long word = FrameLayout.readHeader(memory, at);
      if (!FrameRules.allow(word, maxFrameLength)) {
        return refuse(word, receivedBytes - (end - at), end);
      }
      int length = FrameLayout.length(word);
      long next = at + FrameLayout.occupied(length);
      if (next > end) {
        break;
      }
      if (!FrameRules.paddingIsZero(memory, at, length)) {
        throw FrameRules.dirtyPadding(word);
      }
      consumer.frame(memory, at, word);
      at = next;
    }
    return at;
  }

  /** Adds bytes to the incomplete frame, or begins one; returns where the bytes after it begin. */
  private long collect(MemorySegment memory, long offset, long end) {
    long at = offset;
    if (pending < HEADER_LENGTH) {
      at = collectHeader(memory, at, end);
      if (pending < HEADER_LENGTH) {
        return at;
      }
      if (!FrameRules.allow(header, maxFrameLength)) {
        return refuse(header, receivedBytes - (end - at) - HEADER_LENGTH, end);
      }
      consumer.begins(header);
      occupied = FrameLayout.occupied(FrameLayout.length(header));
    }
    long length = Math.min(end - at, occupied - pending);
    ReceiveBuffer buffer = ensureRoom(pending + length);
    LongCopy.copy(memory, at, buffer.segment(), pending, length);
    pending += length;
    deliverIfComplete(buffer);
    return at + length;
  }

  private long collectHeader(MemorySegment memory, long offset, long end) {
    long at = offset;
    long word = pending == 0 ? 0 : header;
    while (at < end && pending < HEADER_LENGTH) {
      word |= (memory.get(ValueLayout.JAVA_BYTE, at) & 0xFFL) << (pending << 3);
      pending++;
      at++;
    }
    header = word;
    return at;
  }

  /** The buffer of the incomplete frame, large enough for the bytes that will have arrived. */
  private ReceiveBuffer ensureRoom(long arrived) {
    ReceiveBuffer buffer = partial;
    if (buffer != null && buffer.capacity() >= arrived) {
      return buffer;
    }
    ReceiveBuffer larger = pool.tryAcquireIdle(occupied); // spares copies, and costs no memory
    if (larger == null) {
      larger = pool.acquire(Math.min(occupied, Math.max(PROMPT_LENGTH, GROWTH * arrived)));
    }
    ReceiveBuffer unused = larger;
    try { // the stack may end
      if (buffer == null) {
        FrameLayout.writeWord(larger.segment(), 0, header);
      } else {
        LongCopy.copy(buffer.segment(), 0, larger.segment(), 0, pending);
      }
      partial = larger;
      unused = buffer;
    } finally {
      if (unused != null) {
        unused.release();
      }
    }
    return larger;
  }

  private void deliverIfComplete(ReceiveBuffer buffer) {
    if (pending < occupied) {
      return;
    }
    long word = header;
    pending = 0;
    partial = null;
    delivered = buffer;
    try {
      MemorySegment memory = buffer.segment();
      if (!FrameRules.paddingIsZero(memory, 0, FrameLayout.length(word))) {
        throw FrameRules.dirtyPadding(word);
      }
      consumer.frame(memory, 0, word);
    } finally {
      ReceiveBuffer left = takeFrameBuffer();
      if (left != null) {
        left.release();
      }
    }
  }

  /** Throws, unless the consumer has closed this assembler: then the rest is ignored. */
  private long refuse(long word, long position, long end) {
    if (closed) {
      return end;
    }
    throw FrameRules.violation(word, maxFrameLength, position);
  }

  private int checkLimit(int length) {
    if (length < HEADER_LENGTH || length > MOST) {
      throw new IllegalArgumentException(
          "maxFrameLength must be in "
              + HEADER_LENGTH
              + ".."
              + MOST
              + ": maxFrameLength="
              + length);
    }
    return closed ? 0 : length;
  }
}
