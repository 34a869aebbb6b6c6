package org.ringwire.wire;

/**
 * One life of a node: tells a restarted node from the one before, whose messages may be lost.
 *
 * @param id chosen at random at the start, never 0
 * @param startMs when the node started, in milliseconds since 1970, by its own clock; 0 or more
 */
public record Incarnation(long id, long startMs) {

  /** In place of an id: not known yet. */
  public static final long UNKNOWN = 0;

  /** Validates. */
  public Incarnation {
    if (id == UNKNOWN || startMs < 0) {
      throw new IllegalArgumentException(
          "an incarnation has an id other than 0 and a start time: id="
              + id
              + " startMs="
              + startMs);
    }
  }
}
