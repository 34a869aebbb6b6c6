package org.ringwire;

import org.jspecify.annotations.Nullable;

/** The node is closed or closing. */
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
}
