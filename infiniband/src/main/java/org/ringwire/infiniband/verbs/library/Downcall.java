package org.ringwire.infiniband.verbs.library;

/** What a call into a library throws, which may be anything as far as the compiler knows. */
public final class Downcall {

  private Downcall() {}

  /** Errors are as they are: who has no heap may try again. */
  public static Error threw(Throwable e) {
    return e instanceof Error error ? error : new AssertionError("a downcall threw", e);
  }
}
