package org.ringwire.infiniband.verbs.library;

import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;

/** Calls into libraries: what they need before they need no heap, and what they throw. */
public final class Downcall {

  /**
   * A function without parameters, and so without regard for those that it is called with: stands
   * for one that must not be called, to {@link #load} a handle.
   */
  public static final MemorySegment NOTHING =
      Linker.nativeLinker().defaultLookup().findOrThrow("getpid");

  /**
   * A handle that was called 127 times by code that is not compiled gets code of its own, for which
   * heap is needed, also if the handle is a constant.
   */
  private static final int CALLS = 130;

  private Downcall() {}

  /** Makes calls so often that they need no heap from then on. */
  public static void load(Runnable calls) {
    for (int i = 0; i < CALLS; i++) {
      calls.run();
    }
  }

  /**
   * What a call throws may be anything as far as the compiler knows. Errors are as they are: who
   * has no heap may try again.
   */
  public static Error threw(Throwable e) {
    return e instanceof Error error ? error : new AssertionError("a downcall threw", e);
  }
}
