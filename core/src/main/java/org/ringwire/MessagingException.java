package org.ringwire;

import org.jspecify.annotations.Nullable;

/**
 * The family of what may go wrong while messages are sent; the message names the facts, and {@link
 * #mayBeHandled} says whether it may be sent again without being handled twice.
 */
public class MessagingException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final boolean mayBeHandled;

  /** With a message for people. */
  public MessagingException(String message) {
    this(message, true);
  }

  /** With a message for people, and a cause. */
  public MessagingException(String message, @Nullable Throwable cause) {
    this(message, cause, true);
  }

  /**
   * With a message for people; a cause may still be added.
   *
   * @param mayBeHandled see {@link #mayBeHandled}
   */
  protected MessagingException(String message, boolean mayBeHandled) {
    super(message);
    this.mayBeHandled = mayBeHandled;
  }

  /**
   * With a message for people, and a cause.
   *
   * @param mayBeHandled see {@link #mayBeHandled}
   */
  protected MessagingException(String message, @Nullable Throwable cause, boolean mayBeHandled) {
    super(message, cause);
    this.mayBeHandled = mayBeHandled;
  }

  /**
   * Whether the message or request that this was thrown for, or the future ended with, may have
   * been handled, or may still be. If not, no handler has had it, and none will: it may be sent
   * again, and is not handled twice.
   *
   * {@snippet :
   * try {
   *   return node.request(2, order, Receipt.class, timeout);
   * } catch (MessagingException e) {
   *   if (e.mayBeHandled()) {
   *     throw e; // unless an order may be handled twice
   *   }
   *   return node.request(3, order, Receipt.class, timeout);
   * }
   * }
   *
   * @return true also where it is not known
   */
  public final boolean mayBeHandled() {
    return mayBeHandled;
  }
}
