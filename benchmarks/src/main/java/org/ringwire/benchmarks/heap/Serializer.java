package org.ringwire.benchmarks.heap;

/** Encodes graphs into memory that is kept, and decodes the last one. Used by one thread. */
interface Serializer {

  /** Encodes a graph; returns the length of its image in bytes. */
  long encode(Object graph);

  /** Decodes what was encoded last. */
  Object decode();
}
