package org.ringwire.transport.tls;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Who wraps and writes to the medium of a {@link TlsLink}: a word taken by compare-and-set. Any
 * thread; nobody waits.
 *
 * <p>A thread that wants something written that the engine has to say leaves a flag ({@link #ask},
 * {@link #retire}) and then tries to take the role; a holder gives the role back and then looks at
 * the flags ({@link #isAsked}). Flags and role are volatile, so one of the two sees the other. A
 * sender that finds the role taken for such a moment leaves a flag too, and is called back as if
 * the medium had been full.
 */
final class WritingRole {

  private final AtomicBoolean taken = new AtomicBoolean();
  private volatile boolean turnedAway;
  private volatile boolean asked;
  private volatile boolean retired; // only ever set
  private boolean lastTaken; // the holder

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

  // What the holder is asked for.

  /** Asks for what the engine has to say to be written. Any thread, which then tries the role. */
  void ask() {
    asked = true; // volatile, before the role is tried: pairs with giveBack()
  }

  /** Asks for what is done last, when the medium has gone; as {@link #ask}. */
  void retire() {
    retired = true; // volatile, before the role is tried: pairs with giveBack()
  }

  /** Whether somebody must take the role; after it was given back. */
  boolean isAsked() {
    return retired ? !lastTaken : asked;
  }

  /** By the holder, before it looks at what is due. */
  void takeAsked() {
    asked = false;
  }

  /** By the holder: whether there is nothing to write any more, but what is done last. */
  boolean takeLast() {
    if (!retired) {
      return false;
    }
    lastTaken = true;
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
