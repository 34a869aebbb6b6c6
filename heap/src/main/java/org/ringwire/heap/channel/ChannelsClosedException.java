package org.ringwire.heap.channel;

/** Nothing is written any more. */
final class ChannelsClosedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  ChannelsClosedException() {
    super("the heap channels of the node are closed");
  }
}
