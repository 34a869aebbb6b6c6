package org.ringwire.heap.channel;

/**
 * The stream of a sender that has ended last, and why. Guarded by the lock of its {@link Inbox}.
 */
final class EndedStream {
  private static final String ENDED = "the stream has ended";

  private boolean hasEnded;
  private long last;
  private String why = "";

  void end(long id, String reason) {
    hasEnded = true;
    last = id;
    why = reason; // nothing is made of it here, as there may be no heap
  }

  /** As it was said. */
  String reason() {
    return why;
  }

  /** What to tell who goes on with a stream that is not there. */
  String why(long id) {
    return isKnown(id) ? ENDED + ": " + why : ENDED;
  }

  /** If not, nothing of the graph that its sender writes was taken here. */
  boolean isKnown(long id) {
    return hasEnded && id == last;
  }
}
