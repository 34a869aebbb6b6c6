package org.ringwire;

import org.jspecify.annotations.Nullable;

/**
 * No response came in time. Whether the request was handled is not known, unless the message says
 * that it was not accepted: then it was not sent.
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
}
