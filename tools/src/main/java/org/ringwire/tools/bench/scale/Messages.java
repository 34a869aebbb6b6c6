package org.ringwire.tools.bench.scale;

/** What the nodes say to each other. */
final class Messages {

  private Messages() {}

  /** A message of 64 bytes; farmed peers send it back as it is. */
  record Note(long number, long b, long c, long d, long e, long f, long g, long h) {

    static Note of(long number) {
      return new Note(number, 1, 2, 3, 4, 5, 6, 7);
    }
  }

  /** Asks for a round trip. */
  record Question(long number) {}

  /** Answers, with the number of the question. */
  record Answer(long number) {}

  /** Asks how many notes were handled, once it is that many, or after a time without a new one. */
  record Handled(long count) {}
}
