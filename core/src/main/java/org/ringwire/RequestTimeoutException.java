package org.ringwire;

import org.jspecify.annotations.Nullable;

/**
 * No response came in time. Whether the request was handled is not known, unless it was not even
 * accepted for sending in that time: then {@link #mayBeHandled} is false, and it was not sent.
 */
public final class RequestTimeoutException extends MessagingException {

  private static final long serialVersionUID = 1;

  /** With a message for people. */
  public RequestTimeoutException(String message) {
    super(message);
  }

  /** With a message for people, and a cause. */
  public RequestTimeoutException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * With a message for people, a cause, and what is known.
   *
   * @param mayBeHandled see {@link #mayBeHandled}
   */
  public RequestTimeoutException(String message, @Nullable Throwable cause, boolean mayBeHandled) {
    super(message, cause, mayBeHandled);
  }
}
