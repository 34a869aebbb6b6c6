package org.ringwire.engine.outbound;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.engine.outbound.detached.DetachedFrame;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.ring.RingConsumer;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.wire.FrameLayout;

/**
 * What a pipe offers to its link, in order of priority: control frames, frames that overflowed, the
 * ring. Used by the holder of the consumer role only, except for the queues that others add to.
 *
 * <p>Frames are never interleaved: control and overflow go out only where everything offered before
 * was taken to its last byte. One offer of ring bytes is bounded and is not extended until it was
 * taken, so that such a place comes soon even under load.
 */
public final class OutboundStream implements OutboundSource {

  private static final long LONGEST_OFFER = 256 << 10;

  /** Bytes in the ring that stand for a frame that is kept outside of it. */
  static final int DESCRIPTOR_LENGTH = FrameLayout.HEADER_LENGTH;

  private final ControlQueue control;
  private final Supplier<byte[]> creditFrame;
  private final ReceiveBufferPool buffers;
  private final ConcurrentLinkedQueue<DetachedFrame> overflow = new ConcurrentLinkedQueue<>();

  /** By the position of what stands for them in the ring. */
  private final ConcurrentHashMap<Long, DetachedFrame> detached = new ConcurrentHashMap<>();

  private final CompletionOrder completions = new CompletionOrder();

  private volatile @Nullable OutboundRing ring;
  private @Nullable OutboundRing ringBehind; // published by who adds the frame to the control
  private byte @Nullable [] ahead; // as the one before
  private @Nullable ReceiveBuffer controlBuffer;
  private long controlOffset;
  private long controlLength;
  private @Nullable DetachedFrame current;
  private long ringOffered;
  private boolean urgent;
  private boolean offered;
  private volatile boolean closed;
  private final AtomicLong detachedLeft = new AtomicLong(); // frames not sent to their last byte
  private final AtomicLong unoffered = new AtomicLong(); // bytes that the window was charged for
  private final AtomicLong startedDetached = new AtomicLong(); // written by the role's holder
  private final AtomicBoolean controlLeft = new AtomicBoolean(); // written by the role's holder
  private final AtomicLong bytesSent = new AtomicLong();
  private final AtomicLong bytesCompleted = new AtomicLong(); // written by who completes

  public OutboundStream(
      ControlQueue control, Supplier<byte[]> creditFrame, ReceiveBufferPool buffers) {
    this.control = control;
    this.creditFrame = creditFrame;
    this.buffers = buffers;
  }

  /** Before the first offer of data. */
  public void ring(OutboundRing outboundRing) {
    ring = outboundRing;
  }

  /**
   * The same on a link that is in use: nothing of it is offered before a control frame is, which is
   * added after this. A holder of the role that found no control frame just before, or many others,
   * would else send data ahead of that one.
   */
  void ringBehind(byte[] controlFrame, OutboundRing outboundRing) {
    ringBehind = outboundRing;
    ahead = controlFrame;
  }

  /**
   * Any thread: keeps a frame, and commits a descriptor that keeps its place in the ring.
   *
   * @param position where {@link #DESCRIPTOR_LENGTH} bytes were claimed
   * @throws IllegalStateException if this was closed in the meantime. Whatever is thrown, the frame
   *     is given up, and the caller gives up its place, and what was paid for it
   */
  public void keep(OutboundRing outboundRing, long position, DetachedFrame frame) {
    detachedLeft.incrementAndGet(); // before the ring is seen to be empty
    @Nullable Long place = null; // once there was heap for it
    long charged = frame.chargedBytes();
    boolean there = false;
    boolean counted = false;
    boolean kept = false;
    try {
      place = position;
      put(place, frame);
      there = true;
      unoffered.addAndGet(charged); // after it was charged, before it can be taken
      counted = true;
      outboundRing.commit(position, FrameLayout.header(FrameLayout.DETACHED, 0, DESCRIPTOR_LENGTH));
      kept = true;
    } finally {
      if (!kept) { // there may be no heap or stack, or the ring be gone
        detachedLeft.decrementAndGet();
        if (counted) {
          unoffered.addAndGet(-charged);
        }
        boolean found = place != null && detached.remove(place, frame); // though put() has failed
        if (found || !there) { // else close() has released it
          frame.giveUp();
        }
      }
    }
  }

  private void put(Long position, DetachedFrame frame) {
    detached.put(position, frame);
    if (closed && detached.remove(position) != null) { // after the frame was put there
      throw new IllegalStateException("the link has ended");
    }
  }

  /**
   * Any thread: a frame that goes out as soon as possible, in no order with the ring; released if
   * this was closed in the meantime. Whatever is thrown, the frame is given up.
   */
  public void overflow(DetachedFrame frame) {
    detachedLeft.incrementAndGet();
    boolean added = false;
    try {
      added = overflow.add(frame);
    } finally {
      if (!added) { // there may be no heap
        detachedLeft.decrementAndGet();
        frame.giveUp();
      }
    }
    if (closed && overflow.remove(frame)) { // after the frame was put there
      frame.release();
    }
  }

  /** Whether there is something that goes before the ring; any thread. */
  public boolean hasPriorityWork() {
    return !control.isEmpty() || !overflow.isEmpty();
  }

  /** The second look; any thread, see {@link OutboundPipe#drain}. */
  public boolean hasWork() {
    OutboundRing outboundRing = ring;
    return !control.isEmpty()
        || !overflow.isEmpty()
        || (outboundRing != null && outboundRing.consumer().hasCommitted());
  }

  @Override
  public long next(OutboundRanges ranges) {
    ranges.clear();
    if (current == null && ringOffered == 0) {
      fillControl();
    }
    ReceiveBuffer buffer = controlBuffer;
    if (buffer != null) {
      ranges.add(buffer.segment(), buffer.buffer(), controlOffset, controlLength - controlOffset);
    }
    if (current == null && ringOffered == 0) {
      takeDetached();
    }
    if (current != null) {
      addDetached(ranges, current);
    } else {
      addRing(ranges);
    }
    return ranges.bytes();
  }

  /**
   * A drain begins.
   *
   * @param awaited whether somebody waits for it; else, after its first offer of ring bytes, it is
   *     only worth to go on for as many as make a sender write
   */
  void begin(boolean awaited) {
    urgent = awaited;
    offered = false;
  }

  @Override
  public boolean isUrgent() {
    return urgent;
  }

  private void addRing(OutboundRanges ranges) {
    OutboundRing outboundRing = ring;
    if (outboundRing != null) {
      if (ringOffered == 0
          && offered
          && !urgent
          && outboundRing.pendingBytes() < OutboundPipe.THRESHOLD) {
        return;
      }
      offered = true;
      RingConsumer consumer = outboundRing.consumer();
      ringOffered = ringOffered > 0 ? ringOffered : consumer.scan(longestOffer(ranges));
      if (ringOffered > 0) {
        ranges.add(outboundRing.memory(), consumer.buffer(), consumer.sentOffset(), ringOffered);
      }
    }
  }

  /** Bytes of the ring to offer: what precedes them counts, too. */
  private static long longestOffer(OutboundRanges ranges) {
    return Math.max(1, Math.min(LONGEST_OFFER, ranges.preferredBytes() - ranges.bytes()));
  }

  private static void addDetached(OutboundRanges ranges, DetachedFrame frame) {
    ranges.add(
        frame.buffer.segment(), frame.buffer.buffer(), frame.sent, frame.occupied - frame.sent);
  }

  @SuppressWarnings("ReferenceEquality") // the frame itself
  private void fillControl() {
    while (!control.isEmpty() && (controlBuffer == null || controlLength < (4 << 10))) {
      controlLeft.lazySet(true); // before the queue is seen to be empty
      byte[] frame = Objects.requireNonNull(control.poll(creditFrame)); // nobody else takes
      append(frame);
      if (frame == ahead) {
        ring = ringBehind;
        ringBehind = null;
        ahead = null; // a WELCOME may be long
      }
    }
  }

  /**
   * Where it ends early, for want of heap or stack, {@link #close} finds what there is to release.
   */
  private void append(byte[] frame) {
    ReceiveBuffer buffer = controlBuffer;
    if (buffer == null) {
      buffer = buffers.acquire(Math.max(ReceiveBufferPool.LASTING_LENGTH, frame.length));
      controlBuffer = buffer;
      controlOffset = 0;
      controlLength = 0;
    } else if (buffer.capacity() - controlLength < frame.length) {
      buffer = moveControl(buffer, controlLength + frame.length);
    }
    FrameBytes.copy(frame, 0, buffer.segment(), controlLength, frame.length);
    controlLength += frame.length;
  }

  private ReceiveBuffer moveControl(ReceiveBuffer buffer, long length) {
    ReceiveBuffer larger = buffers.acquire(length);
    ReceiveBuffer unused = larger;
    try {
      MemorySegment.copy(buffer.segment(), 0, larger.segment(), 0, controlLength);
      controlBuffer = larger;
      unused = buffer;
    } finally {
      unused.release();
    }
    return larger;
  }

  private void takeDetached() {
    OutboundRing outboundRing = ring;
    if (outboundRing == null) {
      return; // nor may data overflow yet, see ringBehind
    }
    current = overflow.poll();
    if (current != null) {
      return;
    }
    RingConsumer consumer = outboundRing.consumer();
    if (consumer.scan(1) == 0) {
      long position = consumer.detachedPosition();
      if (position >= 0) {
        DetachedFrame frame = detached.remove(position);
        if (frame != null) {
          unoffered.addAndGet(-frame.chargedBytes()); // before the peer can have read any of it
        }
        current = frame;
        consumer.skipDetached();
      }
    }
  }

  @Override
  public void sent(long bytes) {
    sent(bytes, false);
  }

  /**
   * Without the order of completions, if all that was sent before is completed: {@code
   * bytesCompleted}, which this acquires, is released after whatever completing does.
   */
  @Override
  public void sentAndCompleted(long bytes) {
    boolean alone = bytesCompleted.get() == bytesSent.get();
    sent(bytes, alone);
    if (alone) {
      bytesCompleted.lazySet(bytesCompleted.get() + bytes);
    } else {
      completed(bytes);
    }
  }

  private void sent(long bytes, boolean completed) {
    bytesSent.lazySet(bytesSent.get() + bytes);
    long left = bytes - sentControl(bytes, completed);
    if (left == 0) {
      return;
    }
    if (current != null) {
      sentDetached(current, left, completed);
      return;
    }
    RingConsumer consumer = Objects.requireNonNull(ring, "ring").consumer();
    if (!completed) {
      completions.ring(left);
    }
    consumer.sent(left);
    ringOffered -= left;
    if (completed) {
      consumer.completed(left);
    }
  }

  private long sentControl(long bytes, boolean completed) {
    ReceiveBuffer buffer = controlBuffer;
    if (buffer == null) {
      return 0;
    }
    long taken = Math.min(bytes, controlLength - controlOffset);
    controlOffset += taken;
    boolean last = controlOffset == controlLength;
    Runnable release = last ? buffer::release : null; // first: there may be no heap for it
    controlBuffer = last ? null : buffer; // before it goes back: then it may be another's
    boolean done = false;
    try {
      complete(taken, release, completed);
      done = true;
    } finally {
      if (!done && !completed) { // there is no heap to note it
        controlBuffer = buffer;
      }
    }
    if (last) {
      controlLeft.lazySet(false);
    }
    return taken;
  }

  private void complete(long bytes, @Nullable Runnable release, boolean completed) {
    if (!completed) {
      completions.other(bytes, release);
    } else if (release != null) {
      release.run();
    }
  }

  private void sentDetached(DetachedFrame frame, long bytes, boolean completed) {
    if (frame.message && frame.sent == 0) {
      startedDetached.lazySet(startedDetached.get() + 1);
    }
    frame.sent += bytes;
    boolean last = frame.sent == frame.occupied;
    complete(bytes, last ? frame::release : null, completed);
    if (last) {
      current = null;
      detachedLeft.decrementAndGet();
    }
  }

  @Override
  public void completed(long bytes) {
    completions.completed(bytes, ring);
    bytesCompleted.lazySet(bytesCompleted.get() + bytes);
  }

  /** Bytes whose memory may be used again; any thread. */
  public long bytesCompleted() {
    return bytesCompleted.get();
  }

  public long bytesSent() {
    return bytesSent.get();
  }

  /**
   * Bytes that are charged to the window for frames kept outside of the ring of which no byte was
   * ever offered to the link: no peer has read them, however soon it answers, as they are counted
   * until the medium may have the first. Who reads this and then what is charged in all finds each
   * of them there. Any thread.
   */
  public long unofferedBytes() {
    return unoffered.get();
  }

  /** Messages kept outside of the ring of which a byte was written; any thread. */
  public long detachedMessages() {
    return startedDetached.get();
  }

  /**
   * Whether a frame that was kept outside of the ring, or a control frame that has left its queue,
   * is not sent to its last byte; any thread.
   */
  boolean hasUnsent() {
    return detachedLeft.get() > 0 || controlLeft.get();
  }

  /** Messages kept outside of the ring of which not one byte was written; after the end. */
  public long unsentDetachedMessages() {
    long count = current != null && current.sent == 0 && current.message ? 1 : 0;
    for (DetachedFrame frame : detached.values()) {
      count += frame.message ? 1 : 0;
    }
    for (DetachedFrame frame : overflow) {
      count += frame.message ? 1 : 0;
    }
    return count;
  }

  /** Returns every buffer, also of frames that come later; after the role was retired. */
  public void close() {
    closed =
        true; // before the frames are looked for: who puts one there finds this, or it is found
    completions.close();
    ReceiveBuffer lastControl = controlBuffer;
    controlBuffer = null; // first, as the next: what fails is not tried again for ever
    if (lastControl != null) {
      lastControl.release();
    }
    DetachedFrame last = current;
    current = null;
    if (last != null) {
      last.release();
    }
    for (DetachedFrame frame = overflow.poll(); frame != null; frame = overflow.poll()) {
      frame.release();
    }
    for (Long token : detached.keySet()) {
      DetachedFrame frame = detached.remove(token);
      if (frame != null) {
        frame.release();
      }
    }
  }
}
