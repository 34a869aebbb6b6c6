package org.ringwire.infiniband.device;

import org.ringwire.IdleStrategy;
import org.ringwire.idle.ActiveThread;
import org.ringwire.idle.Pause;
import org.ringwire.idle.WaitingPlace;

/**
 * How a thread of the transport waits for completions: it polls for as long as its {@link
 * WaitingPlace} gives it, and then waits for an event. That thread only.
 */
public final class Waiting {

  private final WaitingPlace place;
  private final ActiveThread thread = new ActiveThread();
  private boolean waiting;
  private boolean spins;
  private long spinNs;
  private long sinceNs;
  private long lastNs;
  private int rounds;

  /** As the strategy of a node says. */
  public Waiting(IdleStrategy strategy) {
    place = WaitingPlace.of(strategy);
  }

  /** There was something to do. */
  public void found() {
    if (waiting) {
      waiting = false;
      if (spins) {
        place.succeeded();
      }
    }
  }

  /** There was nothing to do; whether to look again at once, rather than wait for an event. */
  public boolean looksAgain() {
    long nowNs = System.nanoTime();
    if (!waiting) {
      waiting = true;
      spinNs = place.begin(thread, nowNs);
      spins = spinNs > 0;
      sinceNs = nowNs;
    } else {
      place.gap(lastNs, nowNs);
    }
    lastNs = nowNs;
    if (spins && nowNs - sinceNs < spinNs && place.mayGoOn(nowNs)) {
      Pause.spinning(++rounds);
      return true;
    }
    if (spins) {
      spins = false;
      place.failed();
    }
    return false;
  }
}
