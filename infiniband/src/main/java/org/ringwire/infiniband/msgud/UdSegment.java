package org.ringwire.infiniband.msgud;

import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.datagram.Segment;
import org.ringwire.infiniband.device.StagingPool;
import org.ringwire.infiniband.verbs.SendRequests;

/**
 * A segment with its content: ranges of a registered ring, or a copy. Guarded by the lock of its
 * link.
 */
final class UdSegment extends Segment {

  private final long[] addresses;
  private final int[] lengths;
  private final int[] keys;
  private int count;
  private int length;
  private long post = -1;
  private StagingPool.@Nullable Chunk chunk;

  /** With room for so many ranges. */
  UdSegment(int ranges) {
    addresses = new long[ranges];
    lengths = new int[ranges];
    keys = new int[ranges];
  }

  /** Has no content. */
  void clear() {
    count = 0;
    length = 0;
    post = -1;
  }

  boolean isFull() {
    return count == addresses.length;
  }

  /** Appends memory that the device can read until the segment is acknowledged. */
  void add(long address, int rangeLength, int key) {
    addresses[count] = address;
    lengths[count] = rangeLength;
    keys[count] = key;
    count++;
    length += rangeLength;
  }

  /** The content is in a chunk, which comes back with {@link #free}. */
  void copied(long address, int copiedLength, StagingPool.Chunk copy) {
    clear();
    add(address, copiedLength, copy.key());
    chunk = copy;
  }

  @Override
  public int length() {
    return length;
  }

  /** Appends the content to the last request of a chain, which has this number. */
  void appendTo(SendRequests requests, long number) {
    for (int i = 0; i < count; i++) {
      requests.addRange(addresses[i], lengths[i], keys[i]);
    }
    post = number;
  }

  /** Number of the request that sent it last. */
  long post() {
    return post;
  }

  /** Nobody reads the content any more. */
  void free() {
    StagingPool.Chunk copy = chunk;
    chunk = null;
    clear();
    if (copy != null) {
      copy.release();
    }
  }

  /** The same of the link that it is of, but the device may still read it. */
  void leave() {
    StagingPool.Chunk copy = chunk;
    chunk = null;
    clear();
    if (copy != null) {
      copy.leave();
    }
  }
}
