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
 * A sender leaves its message to the flusher while that ends the burst: either the flusher finds
 * the message, or the sender finds that there is no burst any more. The real pipe and ring; the
 * medium takes everything.
 */
@JCStressTest
@Outcome(id = "2", expect = ACCEPTABLE, desc = "The message was written.")
@Outcome(id = "1", expect = ACCEPTABLE, desc = "The flusher comes for it.")
@Outcome(id = "-1", expect = FORBIDDEN, desc = "The message was forgotten in the ring.")
@State
public class BurstStressTest {

  private final QuietPipe pipe = QuietPipe.inBurst();
  private boolean comesAgain; // by the flusher

  /** Sends. */
  @Actor
  public void sender() {
    pipe.sendInBurst();
  }

  /** Comes. */
  @Actor
  public void flusher() {
    comesAgain = pipe.tick();
  }

  /**
   * Looks at the ring.
   *
   * @param result 2, 1 if the flusher will come, or -1 if something is left and nobody comes
   */
  @Arbiter
  public void arbiter(I_Result result) {
    boolean isLeft = !pipe.isDrained();
    result.r1 = !isLeft ? 2 : comesAgain || pipe.isInBurst() ? 1 : -1;
    pipe.drainLeft(); // the ring is used again
  }
}
