package org.ringwire.infiniband.verbs.library;

import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;

/**
 * There is no InfiniBand here: the message says whether the library, a function of it, or a device
 * is missing.
 */
public final class VerbsUnavailableException extends MessagingException {

  private static final long serialVersionUID = 1;

  public VerbsUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
