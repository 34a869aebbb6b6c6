package org.ringwire;

/**
 * Something new was refused because the process has committed as much native memory as it may
 * (system property {@code ringwire.maxNativeBytes}), or the JVM has no more for the image of a
 * graph of objects ({@code -XX:MaxDirectMemorySize}), or a response because its requester does not
 * read those before it ({@link NodeConfig#maxBufferedBytes}); nothing was sent. What exists goes
 * on, and what waits for room goes on when others give memory back.
 */
public final class MemoryLimitException extends MessagingException {

  private static final long serialVersionUID = 1;

  /** With a message for people; {@link #mayBeHandled} is false. */
  public MemoryLimitException(String message) {
    super(message, false);
  }
}
