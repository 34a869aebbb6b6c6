package org.ringwire.tools.console;

/**
 * What a command had begun to check or measure broke off: it was used well, and could run here.
 * Ends the command with status 1, so that nobody takes it for one that cannot run.
 */
public final class RunFailedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** With one line for people that says what is not as it should be. */
  public RunFailedException(String message) {
    super(message);
  }

  /** Because of something whose message is one line for people. */
  public RunFailedException(Throwable cause) {
    super(Problem.describe(cause), cause);
  }
}
