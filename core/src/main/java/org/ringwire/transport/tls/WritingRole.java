package org.ringwire.transport.tls;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Who wraps and writes to the medium of a {@link TlsLink}: a word taken by compare-and-set. Any
 * thread; nobody waits.
 *
 * <p>A thread that wants something written that the engine has to say leaves a flag and then tries
 * to take the role; a holder gives the role back and then looks at the flags. Flags and role are
 * volatile, so one of the two sees the other. A sender that finds the role taken for such a moment
 * leaves a flag too, which is kept here, and is called back as if the medium had been full.
 */
final class WritingRole {

  private final AtomicBoolean taken = new AtomicBoolean();
  private volatile boolean turnedAway;

  /** Takes the role, unless somebody has it. */
  boolean tryTake() {
    return !taken.get() && taken.compareAndSet(false, true); // pairs with giveBack()
  }

  /** The same by a sender, who is to be called back if somebody has it: {@link #takeTurnedAway}. */
  boolean tryTakeToSend() {
    if (tryTake()) {
      return true;
    }
    turnedAway = true; // volatile, before the role is tried again: pairs with giveBack()
    if (!tryTake()) {
      return false;
    }
    turnedAway = false;
    return true;
  }

  /** By the holder, who then looks at the flags. */
  void giveBack() {
    taken.set(false); // volatile, before the flags are read: pairs with those who set them
  }

  /** Whether a sender was turned away; after the role was given back. */
  boolean takeTurnedAway() {
    boolean was = turnedAway;
    if (was) {
      turnedAway = false;
    }
    return was;
  }
}
