package org.ringwire.codec;

import org.ringwire.MessagingException;

/**
 * A codec wrote more bytes than it had announced. Thrown by {@link Writer} before anything is
 * written outside of the message, which is not sent; the library turns it into an {@link
 * org.ringwire.EncodingException} for the caller of send.
 */
public final class WriterOverflowException extends MessagingException {
  private static final long serialVersionUID = 1L;

  private final long requested;
  private final long available;

  /**
   * Creates an exception.
   *
   * @param requested the bytes that the codec asked for, 0 or more
   * @param available the bytes that were left, 0 or more
   */
  public WriterOverflowException(long requested, long available) {
    super(
        "write beyond the announced length: requested=" + requested + " available=" + available,
        null,
        false);
    this.requested = requested;
    this.available = available;
  }

  /**
   * What the codec asked for.
   *
   * @return bytes, 0 or more
   */
  public long requested() {
    return requested;
  }

  /**
   * What was left of the announced length.
   *
   * @return bytes, 0 or more, less than {@link #requested}
   */
  public long available() {
    return available;
  }
}
