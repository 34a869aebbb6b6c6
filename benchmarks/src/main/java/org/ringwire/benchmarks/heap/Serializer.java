package org.ringwire.benchmarks.heap;

import java.lang.foreign.MemorySegment;

/** Encodes graphs into memory that is kept, and decodes the last one. Used by one thread. */
public interface Serializer {

  /** Encodes a graph; returns the length of its image in bytes. */
  long encode(Object graph);

  /** Decodes what was encoded last. */
  Object decode();

  /** What was encoded last; valid until the next call. */
  MemorySegment image();

  /** Decodes what another one has encoded. */
  Object decode(MemorySegment image);
}
