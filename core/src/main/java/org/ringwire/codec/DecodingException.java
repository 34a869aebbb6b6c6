package org.ringwire.codec;

import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;

/**
 * Bytes that are not the encoding of a message: too few of them, or a value that the format does
 * not allow. The message says what was read, what was expected and what was found.
 */
public final class DecodingException extends MessagingException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what was read, what was expected and what was found
   */
  public DecodingException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what was read, what was expected and what was found
   * @param cause what it came from, if anything
   */
  public DecodingException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
