package org.ringwire.transport.support;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts the threads inside something that is going to close, so that it closes after the last one
 * left. One word: the number of threads, and the sign bit for "closes". Any thread.
 *
 * <p>{@link #enter} counts first and looks at the bit in the value that it replaced, {@link #close}
 * sets the bit and looks at the count in the value that it replaced: of an entry and a close, the
 * later one sees the earlier. A thread that was refused has counted for a moment, and leaves like
 * any other; so "the last one left" may be reported more than once, and whoever acts on it makes
 * that harmless.
 */
public final class Gate {

  private static final int CLOSING = Integer.MIN_VALUE;
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Gate.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
    linkCalls();
  }

  private volatile int state;

  /** An open gate. */
  public Gate() {}

  /**
   * The first call of a method of a {@link VarHandle} takes heap, at each place; and a link whose
   * bytes were lost for want of heap has to close before it hears of those that follow.
   */
  private static void linkCalls() {
    Gate gate = new Gate();
    boolean _ = gate.enter();
    boolean _ = gate.leave();
    boolean _ = gate.close();
  }

  /** Goes in: call {@link #leave} afterwards, whatever the result. False if it closes. */
  public boolean enter() {
    return (int) STATE.getAndAdd(this, 1) >= 0; // pairs with close()
  }

  /** Goes out; returns whether it closes and nobody is inside now. */
  public boolean leave() {
    return (int) STATE.getAndAdd(this, -1) == CLOSING + 1; // pairs with close()
  }

  /** Lets nobody in from now on; returns whether this call was the first, and nobody is inside. */
  public boolean close() {
    return (int) STATE.getAndBitwiseOr(this, CLOSING) == 0; // pairs with enter() and leave()
  }

  /** Whether it closes. */
  public boolean isClosing() {
    return state < 0;
  }

  /** Whether it closes and nobody is inside, which does not change back for those let in. */
  public boolean isClosed() {
    return state == CLOSING;
  }
}
