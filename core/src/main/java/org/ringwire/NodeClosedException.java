package org.ringwire;

import org.jspecify.annotations.Nullable;

/**
 * The node is closed or closing. {@link #mayBeHandled} is true if it has closed while a request
 * waited for its response.
 */
public final class NodeClosedException extends MessagingException {

  private static final long serialVersionUID = 1;

  /** With a message for people. */
  public NodeClosedException(String message) {
    super(message);
  }

  /** With a message for people, and a cause. */
  public NodeClosedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * With a message for people, a cause, and what is known.
   *
   * @param mayBeHandled see {@link #mayBeHandled}
   */
  public NodeClosedException(String message, @Nullable Throwable cause, boolean mayBeHandled) {
    super(message, cause, mayBeHandled);
  }
}
