package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.ringwire.infiniband.verbs.library.Errno;
import org.ringwire.infiniband.verbs.library.HotVerbs;
import org.ringwire.infiniband.verbs.library.VerbsException;

/** Posts a chain and finds out how far it got. */
final class PostResult {

  /** Bytes of memory that it takes. */
  static final long BYTES = Long.BYTES;

  private final MemorySegment bad;
  private final long base;
  private final long size;

  /**
   * For a chain.
   *
   * @param base address of its first request
   * @param size bytes of a request
   */
  PostResult(SegmentAllocator memories, long base, long size) {
    bad = memories.allocate(JAVA_LONG);
    this.base = base;
    this.size = size;
  }

  /**
   * Posts the requests from one index to another.
   *
   * @return the first index that was not posted, because the queue is full, or for another reason
   *     if some were: the next call begins with that one, and tells the reason
   * @throws VerbsException for any other reason; none was posted
   */
  int post(String verb, MemorySegment function, long queue, int from, int end) {
    bad.set(JAVA_LONG, 0, 0);
    int result = HotVerbs.post(function, queue, base + from * size, bad.address());
    if (result == 0) {
      return end;
    }
    long first = bad.get(JAVA_LONG, 0);
    int index = first == 0 ? from : (int) ((first - base) / size);
    if (index == from && (Math.abs(result) != Errno.ENOMEM || first == 0)) {
      throw new VerbsException(verb, Math.abs(result), first == 0 ? "" : "request=" + index);
    }
    return index;
  }
}
