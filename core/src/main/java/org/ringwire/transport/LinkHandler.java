package org.ringwire.transport;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The upper side of a link. {@link #opened} comes first and {@link #closed} last and once; input
 * comes from one thread at a time, each call happening before the next. No method blocks. {@link
 * #writable} may come from other threads than input does, several at once.
 */
public interface LinkHandler {

  /** The link is usable. */
  void opened(Link link);

  /**
   * Bytes have arrived. The memory is the transport's and valid during the call only. An exception
   * makes the transport close the link with it as the cause.
   */
  void received(MemorySegment memory, long offset, long length);

  /**
   * Where the next bytes should go instead of the transport's own buffer: the rest of a frame that
   * is longer than such buffers. Null most of the time. A transport may ignore it.
   *
   * <p>Empty if nothing is to be read for now: a medium of links with TLS stops reading then, until
   * {@link Link#resumeReading}. Only before any thread leads the link.
   *
   * @return a buffer with position and limit set, valid until the next call of this handler
   */
  @Nullable ByteBuffer destination();

  /**
   * Bytes have arrived in the {@link #destination()}, at its position, which the transport moved.
   */
  void receivedInDestination(int length);

  /**
   * Whether this has kept some of what it was given, since that takes long: only of a link that
   * {@linkplain Link#asksForRest asks for it}, which then calls {@link #handleRest}, in turns with
   * what else its thread has to do, before there is other input. By who may hand over input.
   */
  default boolean hasRest() {
    return false;
  }

  /** Goes on with what was kept, for a while; counts as input. */
  default void handleRest() {}

  /**
   * The medium takes bytes again after a {@link Link#write} that returned false, or has completed
   * some that were sent, which may make room for others.
   */
  void writable();

  /**
   * The link has ended, or could never be opened; nothing follows.
   *
   * @param cause null if this side or the peer closed it in an orderly way
   */
  void closed(@Nullable Throwable cause);
}
