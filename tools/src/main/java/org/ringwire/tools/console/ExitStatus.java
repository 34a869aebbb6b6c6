package org.ringwire.tools.console;

/** How commands end. */
public final class ExitStatus {

  /** All is well. */
  public static final int GOOD = 0;

  /** The command ran, and what it checked was wrong, or broke off. */
  public static final int NOT_VERIFIED = 1;

  /** The command could not run: wrong use, or something that it needs is missing. */
  public static final int UNUSABLE = 2;

  /**
   * Nobody reads standard output any more: what shells say of programs that a SIGPIPE has ended.
   */
  public static final int OUTPUT_UNREAD = 128 + 13;

  private ExitStatus() {}
}
