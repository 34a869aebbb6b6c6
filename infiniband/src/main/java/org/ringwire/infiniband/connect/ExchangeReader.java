package org.ringwire.infiniband.connect;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Puts messages of the exchange together from pieces of any length. One thread at a time; it keeps
 * a bounded number of bytes, whatever the peer sends.
 */
public final class ExchangeReader {

  private final byte[] bytes = new byte[ExchangeFormat.HEAD_LENGTH + ExchangeFormat.LONGEST_BODY];
  private int count;

  /** What takes the messages. */
  @FunctionalInterface
  public interface Sink {
    /** Takes a message. */
    void take(Exchange message) throws IOException;
  }

  /** Nothing read yet. */
  public ExchangeReader() {}

  /**
   * Reads some more bytes.
   *
   * @param sink gets each message as soon as it is complete
   * @throws ExchangeException if a rule is broken; nothing may be read after that
   */
  public void read(MemorySegment memory, long offset, long length, Sink sink) throws IOException {
    long at = offset;
    long end = offset + length;
    while (at < end) {
      int part = (int) Math.min(wanted() - count, end - at);
      MemorySegment.copy(memory, JAVA_BYTE, at, bytes, count, part);
      at += part;
      count += part;
      Exchange message = complete();
      if (message != null) {
        sink.take(message);
      }
    }
  }

  /** Bytes up to the end of the head, or then of the message. */
  private int wanted() throws ExchangeException {
    return count < ExchangeFormat.HEAD_LENGTH
        ? ExchangeFormat.HEAD_LENGTH
        : ExchangeFormat.length(bytes);
  }

  private @Nullable Exchange complete() throws ExchangeException {
    if (count < ExchangeFormat.HEAD_LENGTH || count < ExchangeFormat.length(bytes)) {
      return null;
    }
    Exchange message = ExchangeFormat.decode(bytes, count);
    count = 0;
    return message;
  }
}
