package org.ringwire.heap.channel;

/**
 * Which block it is.
 *
 * @param graph counted from 1 in its stream
 * @param index of the block, from 0
 * @param flags of the constants of {@link ChannelMessages}
 */
record BlockFront(long graph, int index, int flags) {
  boolean isLast() {
    return (flags & ChannelMessages.LAST) != 0;
  }

  boolean isGivenUp() {
    return (flags & ChannelMessages.GIVEN_UP) != 0;
  }

  boolean hasMany() {
    return (flags & ChannelMessages.MANY) != 0;
  }
}
