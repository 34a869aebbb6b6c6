package org.ringwire.infiniband;

import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;

/** An operation on memory of another node has failed; the message names the facts. */
public final class RemoteMemoryException extends MessagingException {

  private static final long serialVersionUID = 1;

  /** Why it has failed, and what is known of the memory there. */
  public enum Reason {
    /** The descriptor does not allow it; nothing was sent. */
    NOT_PERMITTED,
    /** The descriptor is of an earlier life of its node; nothing was sent. */
    STALE,
    /** The owner's device does not allow it: the memory was revoked, perhaps in the middle. */
    REFUSED,
    /**
     * The owner cannot be reached, or has no remote memory, or this side may not lock the memory
     * that the operation needs; nothing was changed there.
     */
    UNREACHABLE,
    /** This end was closed; the operation may have been carried out, wholly or in part. */
    CLOSED,
    /** The time was over; the operation may have been carried out, wholly or in part. */
    DEADLINE,
    /** The way to the owner broke; the operation may have been carried out, wholly or in part. */
    UNCERTAIN
  }

  private final Reason reason;

  /** With a message for people. */
  public RemoteMemoryException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Why. */
  public Reason reason() {
    return reason;
  }
}
