package org.ringwire.tools.console;

/**
 * What a command had begun to check or measure broke off: it was used well, and could run here.
 * Ends the command with status 1, so that nobody takes it for one that cannot run.
 */
public final class RunFailedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Because of something whose message is one line for people. */
  public RunFailedException(Throwable cause) {
    super(Problem.describe(cause), cause);
  }
}
