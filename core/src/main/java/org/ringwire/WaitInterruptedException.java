package org.ringwire;

import org.jspecify.annotations.Nullable;

/** The calling thread was interrupted while it waited; its interrupt status is set again. */
public final class WaitInterruptedException extends MessagingException {

  private static final long serialVersionUID = 1;

  /** With a message for people. */
  public WaitInterruptedException(String message) {
    super(message);
  }

  /** With a message for people, and a cause. */
  public WaitInterruptedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
