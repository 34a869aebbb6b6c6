package org.ringwire;

import org.jspecify.annotations.Nullable;

/**
 * The connection ended before the response came; names peer and cause. {@link #mayBeHandled} is
 * false if this is known to have been before the request was accepted for sending.
 */
public final class ConnectionLostException extends MessagingException {

  private static final long serialVersionUID = 1;

  /** With a message for people. */
  public ConnectionLostException(String message) {
    super(message);
  }

  /** With a message for people, and a cause. */
  public ConnectionLostException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * With a message for people, a cause, and what is known.
   *
   * @param mayBeHandled see {@link #mayBeHandled}
   */
  public ConnectionLostException(String message, @Nullable Throwable cause, boolean mayBeHandled) {
    super(message, cause, mayBeHandled);
  }
}
