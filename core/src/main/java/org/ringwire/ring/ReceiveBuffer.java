package org.ringwire.ring;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Native memory from a {@link ReceiveBufferPool}. Owned by one holder at a time, who uses it
 * without synchronization and releases it exactly once, on any thread; ownership is handed over
 * with a happens-before edge. Its content is undefined when it is acquired.
 */
public final class ReceiveBuffer {

  private static final String OWNER = "receive buffer";

  private static final VarHandle HELD;
  private static final VarHandle WRITTEN;
  private static final VarHandle NEXT;
  private static final VarHandle HOLDERS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HELD = lookup.findVarHandle(ReceiveBuffer.class, "held", boolean.class);
      WRITTEN = lookup.findVarHandle(ReceiveBuffer.class, "written", long.class);
      NEXT = lookup.findVarHandle(ReceiveBuffer.class, "next", ReceiveBuffer.class);
      HOLDERS = lookup.findVarHandle(ReceiveBuffer.class, "holders", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ReceiveBufferPool pool;
  private final NativeMemory.Scope scope;
  private final MemorySegment segment;
  private final ByteBuffer buffer;

  @SuppressWarnings("unused") // accessed through HELD
  private boolean held;

  /** Since its pool looked last; by who holds it, which is its pool while it lies idle. */
  private boolean used;

  // The rest is for a Lane, of which this is a link.

  /** Where the first frame begins; published with the chunk. */
  private long firstOffset;

  @SuppressWarnings("unused") // accessed through WRITTEN
  private long written;

  private @Nullable ReceiveBuffer next; // by a Lane through NEXT

  @SuppressWarnings("unused") // accessed through HOLDERS
  private int holders;

  ReceiveBuffer(ReceiveBufferPool pool, long length) {
    this.pool = pool;
    scope =
        Slabs.serve(length)
            ? NativeMemory.open(OWNER, Slabs.takeForBuffer(length))
            : NativeMemory.open(OWNER);
    boolean made = false;
    try {
      segment = scope.allocate(length, 64);
      buffer = segment.asByteBuffer();
      made = true;
    } finally {
      if (!made) {
        scope.close();
      }
    }
  }

  /** The memory. */
  public MemorySegment segment() {
    return segment;
  }

  /** The memory as the one buffer, whose position and limit belong to the holder. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /** Bytes of the memory. */
  public long capacity() {
    return segment.byteSize();
  }

  /**
   * Gives the memory back to its pool; views of it are invalid from here on.
   *
   * @throws IllegalStateException if it is not held: a double release, which harms nothing as long
   *     as nobody has acquired the buffer in between
   */
  public void release() {
    if (!HELD.compareAndSet(this, true, false)) {
      throw new IllegalStateException("buffer released twice: capacity=" + capacity());
    }
    pool.released(this);
  }

  /** Pool only: hands the buffer to a new holder. */
  ReceiveBuffer acquired() {
    buffer.clear();
    used = true;
    HELD.setRelease(this, true);
    return this;
  }

  /**
   * Pool only, of a buffer that nobody else can find: whether it was handed out since the last
   * call.
   */
  boolean wasUsed() {
    boolean was = used;
    used = false;
    return was;
  }

  /**
   * Pool only, of a buffer that nobody else can find: links it to those that it lay above. A plain
   * field there, as where a VarHandle is used first, there may be no heap for it.
   */
  ReceiveBuffer above(@Nullable ReceiveBuffer others) {
    next = others;
    return this;
  }

  /** Pool only, of a buffer that nobody else can find: what {@link #above} was told. */
  @Nullable ReceiveBuffer below() {
    return next;
  }

  /** Pool only: nobody holds it, nobody will. */
  void free() {
    scope.close();
  }

  // Lane: as a link in a chain of chunks.

  /** Producer, before the chunk is published. */
  void startChunk(long offset) {
    firstOffset = offset;
    WRITTEN.setOpaque(this, offset);
    NEXT.setOpaque(this, null);
    HOLDERS.setOpaque(this, 1);
  }

  /** Consumer: where the first frame begins. */
  long firstOffset() {
    return firstOffset;
  }

  /** Producer: bytes up to here are frames. */
  void written(long offset) {
    WRITTEN.setRelease(this, offset); // pairs with getAcquire in written()
  }

  /** Consumer: bytes up to here are frames. */
  long written() {
    return (long) WRITTEN.getAcquire(this); // pairs with setRelease in written(long)
  }

  /** Producer: nothing is added to this chunk any more; the other one follows. */
  void next(ReceiveBuffer chunk) {
    NEXT.setRelease(this, chunk); // pairs with getAcquire in next()
  }

  /** Consumer: the chunk that follows, if any. */
  @Nullable ReceiveBuffer next() {
    return (ReceiveBuffer) NEXT.getAcquire(this); // pairs with setRelease in next(chunk)
  }

  /** Consumer: somebody more uses this chunk. */
  void addHolder() {
    HOLDERS.getAndAdd(this, 1);
  }

  /** Any holder: releases the buffer if it was the last. */
  void dropHolder() {
    if ((int) HOLDERS.getAndAdd(this, -1) == 1) {
      release();
    }
  }
}
