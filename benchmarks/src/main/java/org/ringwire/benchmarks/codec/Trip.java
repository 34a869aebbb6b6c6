package org.ringwire.benchmarks.codec;

/** Encodes one message and decodes it again. Used by one thread. */
interface Trip {
  /** Encodes and decodes once; returns the copy. */
  Object once();

  /** Does so many times, so that the compiler sees the whole loop. */
  Object run(int count);

  /** The bytes of the encoded message. */
  int bytes();
}
