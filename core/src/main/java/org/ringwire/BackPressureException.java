package org.ringwire;

import org.jspecify.annotations.Nullable;

/**
 * A message could not be accepted within its timeout because the receiver does not keep up, or a
 * request because too many have no answer yet ({@link NodeConfig#maxRequests}).
 */
public final class BackPressureException extends MessagingException {

  private static final long serialVersionUID = 1;

  /** With a message for people; {@link #mayBeHandled} is false. */
  public BackPressureException(String message) {
    super(message, false);
  }

  /** With a message for people, and a cause; {@link #mayBeHandled} is false. */
  public BackPressureException(String message, @Nullable Throwable cause) {
    super(message, cause, false);
  }
}
