package org.ringwire.wire;

/**
 * What one side of a link tells the other about its memory.
 *
 * @param maxMessageLength longest body of a message that it accepts, in bytes, 1 to 2^30
 * @param initialWindow bytes of data that the other side may send before the first CREDIT, 0 to
 *     2^31 - 1; 0 if data does not flow that way
 * @param responseReservation bytes that a response to it may occupy without having been announced,
 *     0 to 2^31 - 1: what it keeps free for each request under way
 */
public record Limits(int maxMessageLength, long initialWindow, long responseReservation) {

  /** The greatest {@link #maxMessageLength}: 1 GiB. */
  public static final int MAX_MESSAGE_LENGTH = 1 << 30;

  /** The greatest window or reservation: 2 GiB - 1. */
  public static final long MAX_WINDOW = Integer.MAX_VALUE;

  /** Validates. */
  public Limits {
    check("maxMessageLength", maxMessageLength, 1, MAX_MESSAGE_LENGTH);
    check("initialWindow", initialWindow, 0, MAX_WINDOW);
    check("responseReservation", responseReservation, 0, MAX_WINDOW);
  }

  private static void check(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " must be in " + least + ".." + most + ": " + name + "=" + value);
    }
  }
}
