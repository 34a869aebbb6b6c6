package org.ringwire;

import org.jspecify.annotations.Nullable;

/** The root of everything that this library throws on its own account. */
public class MessagingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, with the values that matter
   */
  public MessagingException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what went wrong, with the values that matter
   * @param cause what it came from, if anything
   */
  public MessagingException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
