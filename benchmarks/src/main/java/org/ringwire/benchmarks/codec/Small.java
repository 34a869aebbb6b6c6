package org.ringwire.benchmarks.codec;

/** The small message of the comparison: eight mixed fields. */
public record Small(
    long id,
    int sequence,
    short channel,
    byte priority,
    boolean urgent,
    double price,
    float weight,
    String text) {

  static Small example() {
    return new Small(
        1_234_567_890_123L, 42_000, (short) 7, (byte) 3, true, 1234.5678, 0.25f, "Hello, rings!");
  }
}
