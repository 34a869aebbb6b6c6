package org.ringwire.wire.assembly;

import java.lang.foreign.MemorySegment;

/** Receives the frames of one link, in order, on the thread that reads the link. */
@FunctionalInterface
public interface FrameConsumer {

  /**
   * One complete frame whose header, length and padding have been checked; the body has not. An
   * exception ends the {@link FrameAssembler}: nothing follows.
   *
   * @param memory valid during the call only, and readable at any alignment
   * @param offset of the header in the memory; the whole frame is contiguous from here
   * @param header the header word as it was checked. Not to be read again: the memory of some media
   *     can change under the reader
   */
  void frame(MemorySegment memory, long offset, long header);

  /**
   * A frame has begun that did not come in one piece, behind all that were shown: its header was
   * checked, and no memory was taken for it. An exception ends the {@link FrameAssembler}, so that
   * nobody waits for a frame that may not come; the assembler is not closed in any other way here.
   */
  default void begins(long header) {}
}
