package org.ringwire.heap.channel;

/** Nothing is written any more. */
final class ChannelsClosedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  static final String MESSAGE = "the heap channel is closed, or all channels of the node";

  ChannelsClosedException() {
    super(MESSAGE);
  }
}
