package org.ringwire.engine.outbound.detached;

/** What a sender of long frames has its peer told of them: announcements, and grants given back. */
record NewFrames(ControlQueue control) {

  /** How many there are since the last look. */
  int count() {
    int count = 0;
    while (control.poll(() -> new byte[0]) != null) {
      count++;
    }
    return count;
  }
}
