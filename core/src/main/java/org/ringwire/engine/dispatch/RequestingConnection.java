package org.ringwire.engine.dispatch;

import org.ringwire.engine.request.Crowd;

/** A connection whose threads wait for answers, as the reading thread knows it. */
public interface RequestingConnection {

  /** Those threads. */
  Crowd crowd();

  /** Writes what they have asked and left to the reading thread. */
  void drainLeft();
}
