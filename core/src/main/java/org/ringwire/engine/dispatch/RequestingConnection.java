package org.ringwire.engine.dispatch;

import org.ringwire.engine.request.Respondent;

/** A connection whose threads wait for answers, as the reading thread knows it. */
public interface RequestingConnection extends Respondent {

  /** Writes what they have asked and left to the reading thread. */
  void drainLeft();

  /**
   * Whether it is being dismissed: its end waits until its messages are handled, and who sends to
   * the peer for its end.
   */
  boolean isDismissed();
}
