package org.ringwire;

import org.jspecify.annotations.Nullable;

/** The connection ended before the response came; names peer and cause. */
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
}
