package org.ringwire.heap;

import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;

/**
 * A graph did not arrive as a whole: the other node or its connection has ended, or it gave the
 * graph up; the message says which. Nothing of the graph is handed out.
 */
public final class GraphLostException extends MessagingException {
  private static final long serialVersionUID = 1;

  /**
   * An exception.
   *
   * @param message for people
   */
  public GraphLostException(String message) {
    super(message);
  }

  /**
   * An exception with its cause.
   *
   * @param message for people
   * @param cause what it came from, if anything
   */
  public GraphLostException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
