package org.ringwire.tools.console;

/**
 * A command cannot do what it was asked to: something about its use or its environment is wrong.
 * Ends the command with status 2.
 */
public final class CommandException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** With one line for people that says what is wrong and what to do. */
  public CommandException(String message) {
    super(message);
  }

  /** As above, with a cause that is shown only on demand. */
  public CommandException(String message, Throwable cause) {
    super(message, cause);
  }
}
