package org.ringwire.transport.support;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/** What who comes too late is told of a link: it may be the first to say why that ends. */
public final class EndedLink {

  private EndedLink() {}

  /**
   * What to throw.
   *
   * @param cause why the link ends, if that is known: noted before anybody can see that it ends
   */
  public static IOException exception(@Nullable Throwable cause) {
    if (cause == null) {
      return new ClosedChannelException();
    }
    String message = cause.getMessage();
    return new IOException(message == null ? cause.toString() : message, cause);
  }
}
