package org.ringwire.codec;

/**
 * Turns objects of one type into bytes and back. Written by hand where the generated codec of a
 * record does not fit. Instances are shared by all threads and hold no state of a call.
 *
 * <p>Per message the library calls {@link #encode} exactly once at the sender and {@link #decode}
 * exactly once at the receiver, always over one contiguous piece of memory. It calls {@link
 * #length} right before, on the same thread, and once more for each attempt that found no room:
 * what a codec measures at great cost it may keep, as that of object graphs does.
 */
public interface Codec<T> {

  /** Exact number of bytes that {@link #encode} will write, 0 or more. */
  int length(T message);

  /**
   * Writes the message; exactly {@link #length} bytes, or the send fails with an {@link
   * org.ringwire.EncodingException} and leaves no trace. Must not block.
   */
  void encode(T message, Writer writer);

  /**
   * Reads a message; must leave nothing unread. May throw anything on bytes that make no sense: it
   * costs that message, or the connection if the reader found the bytes to break a rule. Must not
   * block: unless the handler is {@link org.ringwire.Dispatch#POOLED} it mostly runs on the thread
   * that reads the link.
   */
  T decode(Reader reader);

  /**
   * The version of the byte format, compared when two nodes connect: peers whose codecs for a type
   * have different versions refuse each other instead of misreading bytes.
   *
   * @return any number; 0 unless overridden
   */
  default int version() {
    return 0;
  }
}
