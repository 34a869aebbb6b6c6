package org.ringwire.heap.channel;

/**
 * Which block it is.
 *
 * @param graph counted from 1 in its stream
 * @param index of the block, from 0
 * @param flags of the constants of {@link ChannelMessages}
 */
public record BlockFront(long graph, int index, int flags) {
  /** Whether no block of its graph comes behind it. */
  public boolean isLast() {
    return (flags & ChannelMessages.LAST) != 0;
  }

  /** Whether its graph ends before it, unfinished. */
  public boolean isGivenUp() {
    return (flags & ChannelMessages.GIVEN_UP) != 0;
  }

  /** Whether its image has many graphs. */
  public boolean hasMany() {
    return (flags & ChannelMessages.MANY) != 0;
  }
}
