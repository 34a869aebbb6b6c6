package org.ringwire.infiniband;

/**
 * What was found out about one thing that InfiniBand needs.
 *
 * @param name the thing
 * @param status whether it is as it should be
 * @param found what is there
 * @param advice what to do about it; empty if nothing
 */
public record Finding(String name, Status status, String found, String advice) {

  /** Whether something is as it should be. */
  public enum Status {
    /** It is. */
    GOOD,
    /** There is no InfiniBand here: nothing is wrong, it just cannot be used. */
    ABSENT,
    /** There is InfiniBand here, and this keeps it from working, or from working well. */
    WRONG
  }
}
