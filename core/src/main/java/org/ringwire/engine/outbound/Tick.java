package org.ringwire.engine.outbound;

/** What a tick of the flusher found. */
enum Tick {
  /** The burst is over. */
  ENDED,
  /** Slow enough to be drained tick by tick. */
  SLOW,
  /** The medium is full: the transport will say when it is not. */
  BLOCKED,
  /** Drained by its senders; the flusher need not come back soon. */
  BRISK
}
