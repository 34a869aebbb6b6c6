package org.ringwire.tools.process;

/** A child process ended, or did not answer in time. The message is one line for people. */
public final class ChildFailedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  ChildFailedException(String message) {
    super(message);
  }

  ChildFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
