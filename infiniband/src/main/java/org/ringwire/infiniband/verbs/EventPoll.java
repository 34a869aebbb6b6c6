package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.verbs.library.Errno;
import org.ringwire.infiniband.verbs.library.Posix;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.library.VerbsLayout;

/**
 * Waits for events of channels and of a device, or until it is woken up. One thread waits and
 * closes; any thread may call {@link #wakeup}, also during and after the end.
 *
 * <p>A wake-up cannot be lost: the flag is set before the descriptor is written, and the waiting
 * thread clears the flag after it has emptied the descriptor and before it returns. A caller that
 * finds the flag set writes nothing, and its flag operation precedes the clearing one: what it did
 * before is visible to the waiting thread when {@link #await} returns. Only where there is no heap
 * for a first call {@link #wakeup} may fail; then the next one writes.
 *
 * <p>Of a device that is gone the kernel says for ever that there is something, and it is an error.
 * That ends one wait; then it is not looked at any more.
 */
public final class EventPoll implements AutoCloseable {

  private static final long POLLFD = VerbsLayout.POLLFD.byteSize();
  private static final long FD = VerbsLayout.offset(VerbsLayout.POLLFD, "fd");
  private static final long EVENTS = VerbsLayout.offset(VerbsLayout.POLLFD, "events");
  private static final long REVENTS = VerbsLayout.offset(VerbsLayout.POLLFD, "revents");

  private static final int WAKE_UP = 0;
  private static final int ASYNC = 1;
  private static final int CHANNELS = 2;
  static final int IGNORED = -1;

  private final Arena arena = Arena.ofShared();
  private final int wakeUpDescriptor = Posix.eventDescriptor();
  private final int count;
  private final MemorySegment descriptors;
  private final MemorySegment value = arena.allocate(JAVA_LONG);
  private final MemorySegment one = arena.allocateFrom(JAVA_LONG, 1);
  private final AtomicBoolean pending = new AtomicBoolean();
  private boolean failed; // the waiting thread
  private boolean closed; // guarded by this

  /**
   * Waits for these.
   *
   * @param channels events of which end a wait; may be empty
   * @param asyncEvents a device whose events end a wait; null for none
   */
  public EventPoll(List<CompletionChannel> channels, @Nullable Device asyncEvents) {
    this(
        asyncEvents == null ? IGNORED : asyncEvents.asyncDescriptor(),
        channels.stream().mapToInt(CompletionChannel::descriptor).toArray());
  }

  /** Of descriptors, that of a device may be {@link #IGNORED}. */
  EventPoll(int asyncDescriptor, int... channels) {
    count = CHANNELS + channels.length;
    descriptors = arena.allocate(VerbsLayout.POLLFD, count);
    watch(WAKE_UP, wakeUpDescriptor);
    watch(ASYNC, asyncDescriptor);
    for (int i = 0; i < channels.length; i++) {
      watch(CHANNELS + i, channels[i]);
    }
    wakeup(); // what is called for the first time needs heap
    boolean _ = awaitWakeup(0);
  }

  private void watch(int index, int descriptor) {
    descriptors.set(JAVA_INT, index * POLLFD + FD, descriptor);
    descriptors.set(JAVA_SHORT, index * POLLFD + EVENTS, Posix.POLLIN);
  }

  /**
   * Waits until something is ready, {@link #wakeup} is called, or the time is over; allocates
   * nothing.
   *
   * @param timeoutMs 0 only looks, a negative one waits for ever
   * @return whether something is ready or somebody called {@link #wakeup}; false also when a signal
   *     ended the wait
   */
  public boolean await(long timeoutMs) {
    return await(count, timeoutMs);
  }

  /** As {@link #await}, whatever is ready: until {@link #wakeup} is called or the time is over. */
  public boolean awaitWakeup(long timeoutMs) {
    return await(WAKE_UP + 1, timeoutMs);
  }

  private boolean await(int watched, long timeoutMs) {
    int timeout = timeoutMs < 0 ? -1 : (int) Math.min(timeoutMs, Integer.MAX_VALUE);
    int ready = Posix.poll(descriptors.address(), watched, timeout);
    if (ready < 0) {
      for (int i = 0; i < watched; i++) {
        descriptors.set(JAVA_SHORT, i * POLLFD + REVENTS, (short) 0);
      }
      int error = Posix.pollError(descriptors.address(), watched); // 0 if a signal ended the wait
      if (error != 0 && error != Errno.EINTR) {
        throw new VerbsException("poll", error, "descriptors=" + watched);
      }
    } else if (isReady(WAKE_UP)) {
      // What the descriptor counts does not matter; it is empty afterwards.
      Posix.read(wakeUpDescriptor, value.address(), Long.BYTES);
      pending.set(false);
    }
    if (ready > 0) {
      ignoreFailed(watched);
    }
    return ready > 0;
  }

  /** What they say stays until the next wait. */
  private void ignoreFailed(int watched) {
    for (int i = ASYNC; i < watched; i++) {
      if ((descriptors.get(JAVA_SHORT, i * POLLFD + REVENTS) & Posix.POLL_FAILURES) != 0) {
        descriptors.set(JAVA_INT, i * POLLFD + FD, IGNORED);
        failed = true;
      }
    }
  }

  /**
   * Whether a channel or the device will tell nothing any more; true once. By the thread that
   * waits.
   */
  public boolean takeFailure() {
    boolean taken = failed;
    failed = false;
    return taken;
  }

  /** Whether a channel had events when {@link #await} returned. */
  public boolean isChannelReady(int index) {
    return isReady(CHANNELS + index);
  }

  /** Whether the device had events when {@link #await} returned. */
  public boolean isAsyncEventReady() {
    return isReady(ASYNC);
  }

  private boolean isReady(int index) {
    return descriptors.get(JAVA_SHORT, index * POLLFD + REVENTS) != 0;
  }

  /** Ends the wait of {@link #await}, the next one if there is none now; does not wait. */
  public void wakeup() {
    if (!pending.get() && pending.compareAndSet(false, true)) {
      boolean written = false;
      try {
        write();
        written = true;
      } finally {
        if (!written) { // else later ones would rely on it
          pending.set(false);
        }
      }
    }
  }

  private synchronized void write() {
    if (!closed) { // the descriptor may be another one's by now
      Posix.write(wakeUpDescriptor, one.address(), Long.BYTES);
    }
  }

  /** Frees what it needed; the channels and the device go on. A second call does nothing. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Posix.close(wakeUpDescriptor);
      arena.close();
    }
  }
}
