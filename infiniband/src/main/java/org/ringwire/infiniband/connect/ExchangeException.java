package org.ringwire.infiniband.connect;

import java.io.IOException;

/** A peer has broken a rule of the exchange; the message says which. */
public final class ExchangeException extends IOException {

  private static final long serialVersionUID = 1;

  /** With the rule. */
  public ExchangeException(String message) {
    super(message);
  }

  /** With the rule, and what found that it was broken. */
  public ExchangeException(String message, Throwable cause) {
    super(message, cause);
  }
}
