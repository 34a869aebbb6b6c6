package org.ringwire;

import org.jspecify.annotations.Nullable;

/**
 * The calling thread was interrupted while it waited; its interrupt status is set again. {@link
 * #mayBeHandled} is false if it waited for a connection to one node, or for room there: nothing was
 * sent then. Of several nodes some may have the message.
 */
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

  /**
   * With a message for people, a cause, and what is known.
   *
   * @param mayBeHandled see {@link #mayBeHandled}
   */
  public WaitInterruptedException(String message, @Nullable Throwable cause, boolean mayBeHandled) {
    super(message, cause, mayBeHandled);
  }
}
