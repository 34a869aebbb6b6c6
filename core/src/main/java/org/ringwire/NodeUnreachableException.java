package org.ringwire;

import org.jspecify.annotations.Nullable;

/** The node is unknown to the directory, or no connection to it can be made. */
public final class NodeUnreachableException extends MessagingException {

  private static final long serialVersionUID = 1;

  /** With a message for people; {@link #mayBeHandled} is false. */
  public NodeUnreachableException(String message) {
    super(message, false);
  }

  /** With a message for people, and a cause; {@link #mayBeHandled} is false. */
  public NodeUnreachableException(String message, @Nullable Throwable cause) {
    super(message, cause, false);
  }
}
