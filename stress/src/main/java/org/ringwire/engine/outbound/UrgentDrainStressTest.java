package org.ringwire.engine.outbound;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Two senders that wait for answers: whoever holds the role when the other commits writes that,
 * too, or leaves the role to it; neither is left to the flusher, whatever becomes of the word that
 * it is urgent.
 */
@JCStressTest
@Outcome(id = "3", expect = ACCEPTABLE, desc = "All messages were written.")
@Outcome(id = "-1", expect = FORBIDDEN, desc = "A message was forgotten in the ring.")
@State
public class UrgentDrainStressTest {

  private final QuietPipe pipe = QuietPipe.inBurst();

  /** Sends. */
  @Actor
  public void first() {
    pipe.sendUrgently();
  }

  /** Sends twice. */
  @Actor
  public void second() {
    pipe.sendUrgently();
    pipe.sendUrgently();
  }

  /**
   * Looks at the ring.
   *
   * @param result 3, or -1 if something is left
   */
  @Arbiter
  public void arbiter(I_Result result) {
    result.r1 = pipe.isDrained() ? 3 : -1;
  }
}
