package org.ringwire.ring;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.FrameLayout;

/**
 * Frames on their way from the one thread that reads a connection (the producer) to the one thread
 * that handles them (the consumer); either role may be handed on with a happens-before edge. Frames
 * are copied into chunks from a pool; the memory is the lane's until {@link #release}. A lane has
 * no bound of its own: the credit window of the connection bounds what can be in it. It holds no
 * memory while it is empty.
 *
 * <p>Chunks form a chain. The producer publishes frames by a release store of how far the last
 * chunk is written, and a further chunk by a release store of the link to it; the consumer reads
 * both with acquire.
 *
 * <p><b>Who returns the last chunk?</b> The consumer, as soon as it has handled everything,
 * although the producer may be about to append to it. {@code pending} decides: the producer adds a
 * frame to it <em>before</em> it touches the chunk, the consumer subtracts what it has handled in
 * {@link #settle}, when it finds nothing more. Both are atomic. If the consumer's subtraction
 * reaches zero, the lane is empty and the chunk is the consumer's to return; the producer's next
 * addition starts from zero, which tells it to begin a new chain, published through {@code first}.
 * If the producer was first, the count stays above zero until that frame was handled, and so the
 * chunk stays.
 *
 * <p><b>Who is the next consumer?</b> Who is woken by the append that has found the lane empty,
 * which may be another thread, and at once. So the subtraction is the last that a consumer does:
 * its own fields are as the next one needs them before, and all it has left is a chunk that no one
 * else knows of.
 */
public final class Lane implements AutoCloseable {

  private static final long MIN_CHUNK = ReceiveBufferPool.MIN_LENGTH;
  private static final long MAX_CHUNK = 64 << 10;

  private static final VarHandle PENDING;
  private static final VarHandle FIRST;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      PENDING = lookup.findVarHandle(Lane.class, "pending", long.class);
      FIRST = lookup.findVarHandle(Lane.class, "first", ReceiveBuffer.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ReceiveBufferPool pool;

  /** Frames appended, or being appended, and not known to be handled. */
  @SuppressWarnings("unused") // accessed through PENDING
  private long pending;

  /** Begin of a chain that the consumer has not taken yet. */
  @SuppressWarnings("unused") // accessed through FIRST
  private @Nullable ReceiveBuffer first;

  // Producer only.
  private @Nullable ReceiveBuffer last;
  private long writeOffset;
  private long writeLimit;
  private long chunkLength = MIN_CHUNK >>> 1;
  private boolean undone; // of the append that fails: no frame is counted that is not there
  private @Nullable ReceiveBuffer unlinked; // that the consumer does not find

  /** A frame is counted that is not there: the stack of its producer has ended, and so its link. */
  private volatile boolean lost;

  // Consumer only.
  private @Nullable ReceiveBuffer current;
  private long readOffset;
  private long frameLength;
  private long handled;

  /** An empty lane, which takes its memory from the pool. */
  public Lane(ReceiveBufferPool pool) {
    this.pool = pool;
  }

  // Producer.

  /**
   * Copies a frame into the lane. Its header is the one that was checked, whatever the source has
   * there by now: it may be memory that a peer writes to. Whatever fails leaves the lane as it was.
   *
   * @param occupiedLength bytes of the frame with its padding, as the header says, a multiple of 8
   * @return whether the lane was empty: its consumer may have to be woken
   */
  public boolean append(MemorySegment source, long offset, long occupiedLength, long header) {
    Objects.checkFromIndexSize(offset, occupiedLength, source.byteSize());
    ReceiveBuffer fresh = null;
    if (last == null || occupiedLength > writeLimit - writeOffset) {
      chunkLength = Math.min(MAX_CHUNK, chunkLength << 1);
      fresh = newChunk(source, offset, occupiedLength, header);
      unlinked = fresh;
    }
    undone = false;
    boolean appended = false;
    try {
      boolean wasEmpty = reserve();
      if (wasEmpty && fresh == null) {
        fresh = newFirst(source, offset, occupiedLength, header);
        unlinked = fresh;
      }
      if (fresh != null) {
        fresh.startChunk(0);
        link(wasEmpty, fresh);
        unlinked = null;
        writeOffset = occupiedLength;
        writeLimit = fresh.capacity();
        fresh.written(occupiedLength);
      } else {
        appendToLast(source, offset, occupiedLength, header);
      }
      appended = true;
      return wasEmpty;
    } finally {
      if (!appended && !undone) {
        lost = true; // assigned, not called: the stack may be at its end
      }
    }
  }

  private void appendToLast(MemorySegment source, long offset, long occupiedLength, long header) {
    ReceiveBuffer chunk = Objects.requireNonNull(last);
    MemorySegment memory = chunk.segment();
    long frame = writeOffset;
    long word = header;
    try {
      MemorySegment.copy(source, offset, memory, frame, occupiedLength);
    } catch (Throwable e) { // the consumer may count on this frame by now: it skips it
      word = FrameLayout.header(FrameLayout.PADDING, 0, (int) occupiedLength);
      throw e;
    } finally {
      FrameLayout.writeWord(memory, frame, word);
      writeOffset = frame + occupiedLength;
      chunk.written(writeOffset);
      undone = true; // if it has failed: the consumer finds it
    }
  }

  /**
   * Adds a frame without copying it, for large ones.
   *
   * @param whole now the lane's
   * @param offset where the frame begins, a multiple of 8
   * @param length bytes of the frame
   * @return whether the lane was empty: its consumer may have to be woken
   */
  public boolean append(ReceiveBuffer whole, long offset, long length) {
    unlinked = whole;
    boolean appended = false;
    try {
      boolean wasEmpty = reserve();
      whole.startChunk(offset);
      link(wasEmpty, whole);
      unlinked = null;
      writeOffset = offset + FrameLayout.occupied(length);
      writeLimit = writeOffset;
      whole.written(writeOffset);
      appended = true;
      return wasEmpty;
    } finally {
      if (!appended) {
        lost = true; // as above
      }
    }
  }

  private boolean reserve() {
    return (long) PENDING.getAndAdd(this, 1L) == 0; // pairs with getAndAdd in settle
  }

  /** A chunk with its first frame, which nobody knows of yet. */
  private ReceiveBuffer newChunk(
      MemorySegment source, long offset, long occupiedLength, long header) {
    ReceiveBuffer chunk = pool.acquire(Math.max(chunkLength, occupiedLength));
    try {
      MemorySegment memory = chunk.segment();
      LongCopy.copy(source, offset, memory, 0, occupiedLength);
      FrameLayout.writeWord(memory, 0, header);
      return chunk;
    } catch (Throwable e) { // the source may be memory that a peer has taken away
      chunk.release();
      throw e;
    }
  }

  /** The lane has become empty, so the chunk that had room is gone. */
  private ReceiveBuffer newFirst(
      MemorySegment source, long offset, long occupiedLength, long header) {
    chunkLength = Math.max(MIN_CHUNK, chunkLength >>> 1);
    try {
      return newChunk(source, offset, occupiedLength, header);
    } catch (Throwable e) {
      PENDING.getAndAdd(this, -1L); // the consumer has no chunk, so this is an empty lane
      undone = true;
      throw e;
    }
  }

  /** The consumer learns of the chunk, though not yet of a frame in it. */
  private void link(boolean wasEmpty, ReceiveBuffer chunk) {
    ReceiveBuffer previous = last;
    last = chunk;
    if (wasEmpty || previous == null) {
      FIRST.setRelease(this, chunk); // pairs with getAcquire in takeFirst
    } else {
      previous.next(chunk);
    }
  }

  // Any thread.

  /** Whether all that was appended is known to be handled; a volatile read. */
  public boolean isEmpty() {
    return length() == 0;
  }

  /** Number of frames that were appended and are not known to be handled; a volatile read. */
  public long length() {
    return (long) PENDING.getVolatile(this);
  }

  // Consumer.

  /**
   * Goes to the next frame; the one before must have been released.
   *
   * @return false if there is none now; then {@link #settle()} tells who has to come back
   */
  public boolean next() {
    if (frameLength != 0) {
      throw new IllegalStateException("frame was not released");
    }
    while (true) {
      ReceiveBuffer chunk = current;
      if (chunk == null && (chunk = takeFirst()) == null) {
        return false;
      }
      if (readOffset < chunk.written()) {
        long header = FrameLayout.readHeader(chunk.segment(), readOffset);
        frameLength = FrameLayout.occupied(FrameLayout.length(header));
        if (FrameLayout.kind(header) != FrameLayout.PADDING) {
          return true;
        }
        release(); // its copy has failed
        continue;
      }
      ReceiveBuffer next = chunk.next();
      if (next == null) {
        return false;
      }
      if (readOffset == chunk.written()) { // read again: it is final once there is a next chunk
        startReading(next);
        chunk.dropHolder();
      }
    }
  }

  /**
   * Says what was handled, after {@link #next} returned false. If that was everything the lane
   * holds no memory any more, and the next append says to its caller that it was empty, who wakes
   * the consumer: then this is not the consumer any more, and must touch nothing that is the
   * consumer's.
   *
   * @return whether the lane was empty, or its producer has lost what is counted; if not, a frame
   *     is about to appear, nobody will wake anybody, and the consumer has to come back
   */
  public boolean settle() {
    long count = handled;
    if (count == 0) {
      return lost && isOver();
    }
    ReceiveBuffer chunk = current;
    handled = 0;
    current = null; // before, as the fields may be another thread's afterwards
    if ((long) PENDING.getAndAdd(this, -count) != count) { // pairs with getAndAdd in reserve
      current = chunk;
      return lost && isOver();
    }
    if (chunk != null) {
      chunk.dropHolder();
    }
    return true;
  }

  /**
   * After the producer has lost a frame, which is the last that it appends: whether all others were
   * handled. Then all memory goes back.
   */
  private boolean isOver() {
    ReceiveBuffer chunk = current;
    boolean more =
        chunk == null
            ? FIRST.getAcquire(this) != null
            : readOffset < chunk.written() || chunk.next() != null;
    if (more) {
      return false;
    }
    ReceiveBuffer left = unlinked; // the producer has stopped
    unlinked = null;
    current = null;
    if (left != null) {
      left.release();
    }
    if (chunk != null) {
      chunk.dropHolder();
    }
    return true;
  }

  /** The memory that the frame is in. */
  public MemorySegment memory() {
    return frameChunk().segment();
  }

  /** Where the frame begins in the memory. */
  public long offset() {
    return readOffset;
  }

  /** Ends the frame: its memory may be reused, unless it was retained. */
  public void release() {
    if (frameLength == 0) {
      throw new IllegalStateException("no frame to release");
    }
    readOffset += frameLength;
    frameLength = 0;
    handled++;
  }

  /** Keeps the memory of the frame after {@link #release}, until the result is closed. */
  public Retained retain() {
    ReceiveBuffer chunk = frameChunk();
    Retained retained = new Retained(chunk, readOffset); // first: there may be no heap for it
    chunk.addHolder();
    return retained;
  }

  /**
   * Returns all memory, but what is retained, to the pool. Called by the consumer after the
   * producer has stopped; frames that were not handled are dropped.
   *
   * @return number of frames dropped
   */
  public long drop() {
    long dropped = 0;
    if (frameLength != 0) {
      release();
    }
    while (next()) {
      release();
      dropped++;
    }
    boolean _ = settle();
    return dropped;
  }

  /** As {@link #drop()}. */
  @Override
  public void close() {
    drop();
  }

  private ReceiveBuffer frameChunk() {
    ReceiveBuffer chunk = current;
    if (chunk == null || frameLength == 0) {
      throw new IllegalStateException("no frame");
    }
    return chunk;
  }

  private @Nullable ReceiveBuffer takeFirst() {
    ReceiveBuffer chunk = (ReceiveBuffer) FIRST.getAcquire(this); // pairs with setRelease in link
    if (chunk != null) {
      FIRST.setOpaque(this, null); // the next one comes only after pending was zero
      startReading(chunk);
    }
    return chunk;
  }

  private void startReading(ReceiveBuffer chunk) {
    current = chunk;
    readOffset = chunk.firstOffset();
  }

  /** Memory of a frame that outlives its handling. Used by any one thread at a time. */
  public static final class Retained implements AutoCloseable {

    private final ReceiveBuffer chunk;
    private final long offset;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Retained(ReceiveBuffer chunk, long offset) {
      this.chunk = chunk;
      this.offset = offset;
    }

    /** The memory that the frame is in. */
    public MemorySegment memory() {
      return chunk.segment();
    }

    /** Where the frame begins in the memory. */
    public long offset() {
      return offset;
    }

    /** The memory may be reused; a second call does nothing. */
    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        chunk.dropHolder();
      }
    }
  }
}
