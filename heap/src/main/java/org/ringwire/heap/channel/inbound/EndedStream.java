package org.ringwire.heap.channel.inbound;

/**
 * The stream of a sender that has ended last, and why. Guarded by the lock of its {@link Inbox}.
 */
final class EndedStream {
  /** Why there are no streams any more, of whoever sends. */
  static final String CLOSED = "the heap channel was closed";

  private static final String ENDED = "the stream has ended";

  private boolean hasEnded;
  private long last;
  private long lastGraph;
  private String why = "";
  private boolean isClosed;

  /**
   * It has ended.
   *
   * @param arrived the last graph of it of which there was all
   */
  void end(long id, long arrived, String reason) {
    hasEnded = true;
    last = id;
    lastGraph = arrived;
    why = reason; // nothing is made of it here, as there may be no heap
  }

  /** No stream begins any more, which is also why none is there that is unknown. */
  void close() {
    isClosed = true;
  }

  /** As it was said. */
  String reason() {
    return why;
  }

  /** What to tell who goes on with a stream that is not there. */
  String why(long id) {
    if (hasEnded && id == last) {
      return ENDED + ": " + why;
    }
    return isClosed ? ENDED + ": " + CLOSED : ENDED;
  }

  /** Whether there was all of a graph before. */
  boolean hasArrived(long id, long graph) {
    return hasEnded && !isClosed && id == last && graph <= lastGraph;
  }

  /**
   * If not, nothing of the graph that its sender writes was taken here, and it may be written anew.
   */
  boolean isKnown(long id) {
    return isClosed || (hasEnded && id == last);
  }
}
