package org.ringwire.engine.outbound;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The right to write what a pipe holds to its link: held by one thread at a time.
 *
 * <p>Taking acquires and giving back releases, so that what one holder did happens before what the
 * next one does. While the medium is full the role waits with nobody: only the transport's call of
 * {@code writable} resumes it. Retired, it is never taken again.
 *
 * <p>Who commits something that somebody waits for says so here ({@link #press}); whoever takes the
 * role takes that with it.
 */
public final class ConsumerRole {

  private static final int FREE = 0;
  private static final int HELD = 1;
  private static final int AWAITING_WRITABLE = 2;
  private static final int RETIRED = 3;

  private static final VarHandle URGENT;

  static {
    try {
      URGENT = MethodHandles.lookup().findVarHandle(ConsumerRole.class, "urgent", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final AtomicInteger state = new AtomicInteger(FREE);
  private volatile boolean writable;

  /** Whether somebody waits for what was committed, since the role was taken last. */
  private volatile boolean urgent;

  private boolean pressed; // the holder's: whether what it found when it took the role was urgent

  /**
   * By the holder, if the link broke: the role is retired, however it stands. Assigned, not called,
   * as the holder's stack may be at its end.
   */
  volatile boolean abandoned;

  /** Whether it could be taken; a hint, without a fence. */
  public boolean isFree() {
    return state.get() == FREE;
  }

  /** Whether nobody writes, and nothing waits for the medium; also when it is retired. */
  boolean isIdle() {
    return isFree() || isRetired();
  }

  public boolean tryTake() {
    return state.get() == FREE && state.compareAndSet(FREE, HELD);
  }

  /** Somebody waits for what was committed: drains pass a full fence before they take the role. */
  void press() {
    URGENT.setRelease(this, true);
  }

  /** Whether somebody waits for what was committed since the role was taken; any thread. */
  boolean isUrgent() {
    return urgent;
  }

  /** By the holder: whether somebody waits for what it found when it took the role. */
  boolean isPressed() {
    return pressed;
  }

  /**
   * Takes the role if it is free, and what was urgent with it: that is taken back before the
   * compare-and-set, and so before what is committed is read. Who does not get the role after all
   * puts it there again and looks once more; so the holder's second look finds it, or this one
   * finds the role free. On a processor whose compare-and-set is no full fence, in theory, the word
   * may be taken back too late; what it was for then waits for a tick of the flusher.
   */
  boolean take() {
    while (isFree()) {
      boolean wasUrgent = urgent;
      if (wasUrgent) {
        URGENT.setOpaque(this, false);
      }
      if (tryTake()) {
        pressed = wasUrgent;
        return true;
      }
      if (!wasUrgent) {
        return false;
      }
      urgent = true; // volatile, before the role is read again
    }
    return false;
  }

  /** By the transport, as {@link #take}: whether the role waited for the medium. */
  boolean takeUp() {
    if (!signalWritable()) {
      return false;
    }
    pressed = urgent;
    urgent = false; // volatile, before what is committed is read
    return true;
  }

  /** Gives the role back; the holder passes a full fence before its second look at the ring. */
  public void giveBack() {
    state.setRelease(FREE);
  }

  /**
   * By the holder: the medium is full. True if the role now waits; false if the medium has become
   * writable in the meantime and the caller holds the role again.
   */
  public boolean awaitWritable() {
    state.set(AWAITING_WRITABLE); // before the flag is read: pairs with signalWritable
    return !(writable && resume());
  }

  public boolean isAwaitingWritable() {
    return state.get() == AWAITING_WRITABLE;
  }

  /** By the transport: true if the caller holds the role now and must drain. */
  public boolean signalWritable() {
    writable = true; // before the state is read: pairs with awaitWritable
    return resume();
  }

  private boolean resume() {
    if (state.compareAndSet(AWAITING_WRITABLE, HELD)) {
      writable = false;
      return true;
    }
    return false;
  }

  /** By the holder after it has set {@link #abandoned}. */
  public void retireHeld() {
    state.set(RETIRED);
  }

  /** Whether nobody takes it any more. */
  boolean isRetired() {
    return abandoned || state.get() == RETIRED;
  }

  /** By anybody else: true once the role is retired, false while somebody holds it. */
  public boolean tryRetire() {
    return isRetired()
        || state.compareAndSet(FREE, RETIRED)
        || state.compareAndSet(AWAITING_WRITABLE, RETIRED)
        || state.get() == RETIRED;
  }
}
