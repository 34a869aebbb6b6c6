package org.ringwire.heap;

import java.time.Duration;
import java.util.Objects;

/**
 * How heap channels work.
 *
 * @param blockBytes how long a part of a graph is that is sent while the next one is being encoded;
 *     4096 to 16777216
 * @param windowBytes how much of what one sender has sent may wait to be read here, 65536 or more;
 *     a longer graph goes on when it is read
 * @param timeout bounds each wait: for a connection, for room at the receiver, for the arrival of a
 *     graph, for the next part of it, for a graph to read where none is given
 */
public record ChannelOptions(int blockBytes, long windowBytes, Duration timeout) {
  private static final int LEAST_BLOCK = 4096;
  private static final int MOST_BLOCK = 1 << 24;
  private static final long LEAST_WINDOW = 1 << 16;

  /** Blocks of 256 KiB, in messages that fit into the ring of a node; windows of 20 MiB; 30 s. */
  public static final ChannelOptions DEFAULT =
      new ChannelOptions((1 << 18) - 256, 20L << 20, Duration.ofSeconds(30));

  /** Checks the ranges. */
  public ChannelOptions {
    if (blockBytes < LEAST_BLOCK || blockBytes > MOST_BLOCK) {
      throw new IllegalArgumentException(
          "blockBytes must be in "
              + LEAST_BLOCK
              + ".."
              + MOST_BLOCK
              + ": blockBytes="
              + blockBytes);
    }
    if (windowBytes < LEAST_WINDOW) {
      throw new IllegalArgumentException(
          "windowBytes must be " + LEAST_WINDOW + " or more: windowBytes=" + windowBytes);
    }
    Objects.requireNonNull(timeout, "timeout must not be null");
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout must be positive: timeout=" + timeout);
    }
  }

  /**
   * The same with another length of blocks.
   *
   * @param bytes 4096 to 16777216
   * @return new options
   */
  public ChannelOptions withBlockBytes(int bytes) {
    return new ChannelOptions(bytes, windowBytes, timeout);
  }

  /**
   * The same with another window.
   *
   * @param bytes 65536 or more
   * @return new options
   */
  public ChannelOptions withWindowBytes(long bytes) {
    return new ChannelOptions(blockBytes, bytes, timeout);
  }

  /**
   * The same with another timeout.
   *
   * @param bound more than zero
   * @return new options
   */
  public ChannelOptions withTimeout(Duration bound) {
    return new ChannelOptions(blockBytes, windowBytes, bound);
  }
}
