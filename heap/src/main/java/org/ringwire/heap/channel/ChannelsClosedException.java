package org.ringwire.heap.channel;

/** Nothing is written any more. */
public final class ChannelsClosedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** What who wanted to write, or to read, is told. */
  public static final String MESSAGE = "the heap channel is closed, or all channels of the node";

  /** On the thread that is told. */
  public ChannelsClosedException() {
    super(MESSAGE);
  }
}
