package org.ringwire.tools.bench.pair;

/** Ends the loops of a phase. Set by one thread, read by all. */
final class StopSignal {

  private volatile boolean stopped;

  boolean isSet() {
    return stopped;
  }

  void set() {
    stopped = true;
  }
}
