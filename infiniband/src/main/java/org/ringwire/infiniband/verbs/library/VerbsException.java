package org.ringwire.infiniband.verbs.library;

import org.ringwire.MessagingException;

/** A verb failed; the message names it, the error, the facts, and what may help. */
public final class VerbsException extends MessagingException {

  private static final long serialVersionUID = 1;

  private final String verb;
  private final int errno;

  public VerbsException(String verb, int errno, String facts) {
    super(
        verb
            + " failed: errno="
            + errno
            + " ("
            + Errno.name(errno)
            + ")"
            + (facts.isEmpty() ? "" : ", " + facts));
    this.verb = verb;
    this.errno = errno;
  }

  /** The function that failed. */
  public String verb() {
    return verb;
  }

  /** The error number of the operating system; 0 if there is none. */
  public int errno() {
    return errno;
  }
}
