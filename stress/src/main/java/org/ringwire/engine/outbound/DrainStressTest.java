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
 * Two senders, one of which holds the consumer role of a pipe while the other commits: whatever
 * both have sent was written when both have returned. The real pipe and ring; the medium takes
 * everything.
 */
@JCStressTest
@Outcome(id = "2", expect = ACCEPTABLE, desc = "Both messages were written.")
@Outcome(id = "-1", expect = FORBIDDEN, desc = "A message was forgotten in the ring.")
@State
public class DrainStressTest {

  private final QuietPipe pipe = new QuietPipe();

  /** Sends. */
  @Actor
  public void first() {
    pipe.send();
  }

  /** Sends. */
  @Actor
  public void second() {
    pipe.send();
  }

  /**
   * Looks at the ring.
   *
   * @param result 2, or -1 if something is left
   */
  @Arbiter
  public void arbiter(I_Result result) {
    result.r1 = pipe.isDrained() ? 2 : -1;
  }
}
