package org.ringwire.infiniband.connect;

/**
 * What the datagrams of a link must carry to be received by one end.
 *
 * @param queueKey of its queue pair; random, not negative: those are the system's
 * @param token random; goes into the check of each datagram
 */
public record DatagramTerms(int queueKey, long token) {

  /** Validates the range. */
  public DatagramTerms {
    Terms.check("queueKey", queueKey, 0, Integer.MAX_VALUE);
  }

  @Override
  public String toString() {
    return "DatagramTerms[]"; // both are secrets
  }
}
