package org.ringwire.infiniband.verbs.types;

/**
 * How long and how often a reliable queue pair tries.
 *
 * @param timeout wait for an acknowledgement: 4.096 microseconds times 2 to this power, 0 to 31; 0
 *     waits for ever
 * @param retries tries after a timeout before the connection fails, 0 to 7
 * @param rnrRetries tries when the peer has no receive request, 0 to 7; 7 tries for ever
 * @param minRnrTimer what peers are told to wait when there is no receive request, as the code of
 *     the specification: 1 (10 microseconds) to 31 (491 milliseconds), 0 is 655 milliseconds
 * @param maxReadAtomic reads and atomics outstanding as requester, 0 to 255
 * @param maxDestinationReadAtomic reads and atomics outstanding as responder, 0 to 255
 */
public record RetryOptions(
    int timeout,
    int retries,
    int rnrRetries,
    int minRnrTimer,
    int maxReadAtomic,
    int maxDestinationReadAtomic) {

  /** 67 milliseconds and 7 tries; receive requests are waited for without end. */
  public static final RetryOptions DEFAULT = new RetryOptions(14, 7, 7, 12, 1, 1);

  /** Checks the ranges. */
  public RetryOptions {
    Path.check("timeout", timeout, 0, 31);
    Path.check("retries", retries, 0, 7);
    Path.check("rnrRetries", rnrRetries, 0, 7);
    Path.check("minRnrTimer", minRnrTimer, 0, 31);
    Path.check("maxReadAtomic", maxReadAtomic, 0, 255);
    Path.check("maxDestinationReadAtomic", maxDestinationReadAtomic, 0, 255);
  }
}
