package org.ringwire.heap.image;

import org.ringwire.codec.DecodingException;

/** What becomes of exceptions of applications, whose methods may throw any, declared or not. */
public final class Refusal {
  private Refusal() {}

  /**
   * Refuses a graph because of what a method of its objects, or one that looks at them, has thrown.
   * An interrupt that it was told of is the caller's.
   *
   * @param what could not be done
   * @param thrown whatever it was
   * @return to be thrown
   */
  public static DecodingException of(String what, Exception thrown) {
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return new DecodingException(what + ": " + thrown, thrown);
  }
}
