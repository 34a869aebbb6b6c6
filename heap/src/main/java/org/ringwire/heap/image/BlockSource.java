package org.ringwire.heap.image;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Gives a streamed image to a decoder, front to back. Used by the thread that decodes. */
@FunctionalInterface
public interface BlockSource {

  /**
   * The next bytes; waits for them. What it throws ends the decoding.
   *
   * @return 1 byte or more of native memory that nobody frees before the next call, or before the
   *     decoding ends; null if there are no more
   */
  @Nullable MemorySegment next();
}
