package org.ringwire.heap.image;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Takes the blocks of a streamed image, front to back. Used by the thread that encodes. */
@FunctionalInterface
public interface BlockSink {

  /**
   * The next bytes of the image: some from the encoder's memory, then maybe some from an array.
   * What it throws ends the encoding.
   *
   * @param head 0 bytes or more, to be used before the return
   * @param body more, or null; part of an array of the graph, which others may be changing
   * @param isLast whether the image is complete with this
   */
  void accept(MemorySegment head, @Nullable MemorySegment body, boolean isLast);
}
