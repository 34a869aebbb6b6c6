package org.ringwire.heap;

import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;

/**
 * A wait of a heap channel was longer than its timeout; the message says what for. A graph that was
 * on its way is given up.
 */
public final class ChannelTimeoutException extends MessagingException {
  private static final long serialVersionUID = 1;

  /**
   * An exception.
   *
   * @param message for people
   */
  public ChannelTimeoutException(String message) {
    super(message);
  }

  /**
   * An exception with its cause.
   *
   * @param message for people
   * @param cause what it came from, if anything
   */
  public ChannelTimeoutException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
