package org.ringwire;

/**
 * A node was told to listen where other machines can connect, and nothing that proves who they are.
 */
public final class AuthenticationRequiredException extends MessagingException {

  private static final long serialVersionUID = 1;

  /** With a message for people. */
  public AuthenticationRequiredException(String message) {
    super(message, false);
  }
}
