package org.ringwire;

import org.jspecify.annotations.Nullable;

/**
 * There is no response: the handler on the other side failed or did not reply, or there is none, or
 * the request did not decode, or the response could not be encoded or is longer than this node
 * takes. The message says which. {@link #mayBeHandled} is false if the handler was not called, as
 * there is none, or the request did not decode.
 */
public final class RemoteHandlerException extends MessagingException {

  private static final long serialVersionUID = 1;

  /** With a message for people. */
  public RemoteHandlerException(String message) {
    super(message);
  }

  /** With a message for people, and a cause. */
  public RemoteHandlerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * With a message for people, a cause, and what is known.
   *
   * @param mayBeHandled see {@link #mayBeHandled}
   */
  public RemoteHandlerException(String message, @Nullable Throwable cause, boolean mayBeHandled) {
    super(message, cause, mayBeHandled);
  }
}
