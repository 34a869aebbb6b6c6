package org.ringwire;

import org.jspecify.annotations.Nullable;

/** The family of what may go wrong while messages are sent; the message names the facts. */
public class MessagingException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** With a message for people. */
  public MessagingException(String message) {
    super(message);
  }

  /** With a message for people, and a cause. */
  public MessagingException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
