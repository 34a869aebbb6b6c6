package org.ringwire.infiniband.verbs.types;

/** State of a queue pair. */
public enum QueuePairState {
  /** As created. */
  RESET,
  /** Receive requests may be posted. */
  INIT,
  /** Ready to receive. */
  RTR,
  /** Ready to send, too. */
  RTS,
  /** The send queue is being drained. */
  SQD,
  /** The send queue failed. */
  SQE,
  /** Failed: all requests end as flushed. */
  ERR,
  /** The device does not know. */
  UNKNOWN;

  public static QueuePairState ofCode(int code) {
    return code >= 0 && code < values().length ? values()[code] : UNKNOWN;
  }
}
