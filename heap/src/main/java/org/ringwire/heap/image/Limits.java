package org.ringwire.heap.image;

/**
 * What a graph may cost.
 *
 * @param objects how many there may be
 * @param bytes how long an image may be, with its header
 * @param depth how deep objects may be nested
 * @param arrayLength how many elements an array or collection may have
 */
public record Limits(int objects, long bytes, int depth, int arrayLength) {

  /** Checks that each is 1 or more. */
  public Limits {
    if (objects < 1 || bytes < ImageHeader.HEADER_LENGTH || depth < 1 || arrayLength < 0) {
      throw new IllegalArgumentException(
          "limits must be positive: objects="
              + objects
              + " bytes="
              + bytes
              + " depth="
              + depth
              + " arrayLength="
              + arrayLength);
    }
  }
}
