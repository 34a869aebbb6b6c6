package org.ringwire.heap.image.shape;

import org.ringwire.EncodingException;
import org.ringwire.codec.DecodingException;

/** What to throw for what an application cannot send, or what its methods throw. */
public final class Refusal {
  private static final int LONGEST_TEXT = 1024;

  private Refusal() {}

  /**
   * Refuses a graph because of what a method of its objects, or one that looks at them, has thrown,
   * which may be anything, declared or not, or that it lacks a class here. An interrupt that it was
   * told of is the caller's.
   *
   * @param what could not be done
   * @param thrown whatever it was
   * @return to be thrown
   */
  public static DecodingException of(String what, Throwable thrown) {
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return new DecodingException(what + ": " + thrown, thrown);
  }

  /**
   * Refuses what methods of the platform do not take for a value. What they say of it may have all
   * that an image has for it, which whoever logs this would have several times: so has each cause.
   */
  public static DecodingException ofValue(Class<?> type, RuntimeException thrown) {
    String text = thrown.toString();
    return new DecodingException(
        "not a value: class=" + type.getName() + ": " + shortened(text),
        text.length() > LONGEST_TEXT ? null : thrown);
  }

  /** As much of a text from an image as an error may have. */
  public static String shortened(String text) {
    return text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + "..." : text;
  }

  /** Refuses constants of an enum whose initialiser has failed, now or before. */
  public static DecodingException ofEnum(Class<?> type, LinkageError thrown) {
    return new DecodingException("an enum cannot be initialised: class=" + type.getName(), thrown);
  }

  /** Refuses an object of a class that cannot be sent. */
  public static EncodingException ofClass(Class<?> type, String reason) {
    return new EncodingException("cannot be sent: class=" + type.getName() + ": " + reason);
  }
}
