package org.ringwire.infiniband.verbs;

/** What a call into a library throws, which may be anything as far as the compiler knows. */
final class Downcall {

  private Downcall() {}

  /** Errors are as they are: who has no heap may try again. */
  static Error threw(Throwable e) {
    return e instanceof Error error ? error : new AssertionError("a downcall threw", e);
  }
}
