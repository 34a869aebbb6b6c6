package org.ringwire.engine.outbound;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.ringwire.engine.request.Crowd;

/**
 * A thread of a crowd that was answered asks again while the reading thread ends its round of
 * answers: it leaves the request to that thread, which finds it, or it sees that nobody is going to
 * look.
 */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "The request was written.")
@Outcome(id = "-1", expect = FORBIDDEN, desc = "Each has left the request to the other.")
@State
public class AnswersStressTest {

  private static final int MANY = 100;

  private final QuietPipe pipe = QuietPipe.inBurst();
  private final Crowd crowd = new Crowd();

  /** A crowd that is being answered. */
  public AnswersStressTest() {
    for (int thread = 0; thread < MANY; thread++) {
      crowd.enter();
    }
    if (!crowd.beginAnswers()) {
      throw new IllegalStateException("no crowd");
    }
  }

  /** Asks again. */
  @Actor
  public void requester() {
    pipe.sendInCrowd(crowd);
  }

  /** Has handed out all answers. */
  @Actor
  public void reader() {
    crowd.endAnswers();
    pipe.drainLeft();
  }

  /**
   * Looks at the ring.
   *
   * @param result 1, or -1 if something is left
   */
  @Arbiter
  public void arbiter(I_Result result) {
    result.r1 = pipe.isDrained() ? 1 : -1;
  }
}
