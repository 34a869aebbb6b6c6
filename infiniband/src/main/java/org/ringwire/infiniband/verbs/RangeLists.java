package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Objects;
import org.ringwire.infiniband.verbs.library.VerbsLayout;

/** The ranges (scatter-gather elements) of the requests of a chain, a list of fixed width each. */
final class RangeLists {

  private static final long SIZE = VerbsLayout.SGE.byteSize();
  private static final long ADDRESS = VerbsLayout.offset(VerbsLayout.SGE, "addr");
  private static final long LENGTH = VerbsLayout.offset(VerbsLayout.SGE, "length");
  private static final long LOCAL_KEY = VerbsLayout.offset(VerbsLayout.SGE, "lkey");

  private final MemorySegment memory;
  private final int width;

  RangeLists(SegmentAllocator memories, int requests, int width) {
    memory = memories.allocate(VerbsLayout.SGE, (long) requests * width);
    this.width = width;
  }

  /** Bytes of memory that they take. */
  static long bytes(int requests, int width) {
    return (long) requests * width * SIZE;
  }

  int width() {
    return width;
  }

  /** Where the list of a request begins. */
  long address(int request) {
    return memory.address() + (long) request * width * SIZE;
  }

  void set(int request, int range, long address, int length, int localKey) {
    Objects.checkIndex(range, width);
    long at = ((long) request * width + range) * SIZE;
    memory.set(JAVA_LONG, at + ADDRESS, address);
    memory.set(JAVA_INT, at + LENGTH, length);
    memory.set(JAVA_INT, at + LOCAL_KEY, localKey);
  }
}
