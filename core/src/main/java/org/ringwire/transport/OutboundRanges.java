package org.ringwire.transport;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A reusable list of ranges of memory to write. Media that know addresses use segments and offsets;
 * channels use the buffers. Not for use by several threads at once.
 */
public final class OutboundRanges {

  private final MemorySegment[] segments;
  private final long[] offsets;
  private final long[] lengths;
  private final ByteBuffer[] buffers;
  private final long preferredBytes;
  private int count;
  private long bytes;

  /** A list for so many ranges at most, and as many bytes as the source likes to offer. */
  public OutboundRanges(int capacity) {
    this(capacity, Long.MAX_VALUE);
  }

  /**
   * A list for a medium that cuts what it is given.
   *
   * @param capacity ranges at most
   * @param preferredBytes up to here the medium does not cut: an offer of several frames should end
   *     before, a single frame may be longer
   */
  public OutboundRanges(int capacity, long preferredBytes) {
    this.preferredBytes = preferredBytes;
    segments = new MemorySegment[capacity];
    offsets = new long[capacity];
    lengths = new long[capacity];
    buffers = new ByteBuffer[capacity];
  }

  /** Empties the list. */
  public void clear() {
    Arrays.fill(segments, 0, count, MemorySegment.NULL);
    Arrays.fill(buffers, 0, count, null);
    count = 0;
    bytes = 0;
  }

  /** Whether another range fits. */
  public boolean hasRoom() {
    return count < segments.length;
  }

  /**
   * Adds a range.
   *
   * @param buffer a view of the whole segment whose position and limit this call sets
   */
  public void add(MemorySegment segment, ByteBuffer buffer, long offset, long length) {
    segments[count] = segment;
    offsets[count] = offset;
    lengths[count] = length;
    buffers[count] = buffer.limit((int) (offset + length)).position((int) offset);
    count++;
    bytes += length;
  }

  /** Length at which a source should end its offer, if whole frames let it. */
  public long preferredBytes() {
    return preferredBytes;
  }

  /** Number of ranges. */
  public int count() {
    return count;
  }

  /** Sum of the lengths. */
  public long bytes() {
    return bytes;
  }

  /** The memory of a range. */
  public MemorySegment segment(int index) {
    return segments[index];
  }

  /** Where a range begins in its memory. */
  public long offset(int index) {
    return offsets[index];
  }

  /** Bytes of a range. */
  public long length(int index) {
    return lengths[index];
  }

  /** The ranges as buffers, the first {@link #count()} of which are valid. */
  public ByteBuffer[] buffers() {
    return buffers;
  }
}
