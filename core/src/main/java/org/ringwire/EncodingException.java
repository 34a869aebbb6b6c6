package org.ringwire;

import org.jspecify.annotations.Nullable;

/**
 * A message cannot be sent as it is: its codec threw, or wrote another number of bytes than it
 * announced, or it is longer than this node or the receiver allows. Nothing was sent.
 */
public final class EncodingException extends MessagingException {

  private static final long serialVersionUID = 1;

  /** With a message for people; {@link #mayBeHandled} is false. */
  public EncodingException(String message) {
    super(message, false);
  }

  /** With a message for people, and a cause; {@link #mayBeHandled} is false. */
  public EncodingException(String message, @Nullable Throwable cause) {
    super(message, cause, false);
  }
}
