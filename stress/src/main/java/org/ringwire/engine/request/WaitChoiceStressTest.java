package org.ringwire.engine.request;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * Two waits find the same window over: one of them ends it, and the next window is neither skipped
 * nor ended at once, or the pause before the trial would be over already.
 */
@JCStressTest
@Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "Both see the other way begin.")
@Outcome(id = "true, false, true", expect = ACCEPTABLE, desc = "The second still waits as before.")
@Outcome(id = "false, true, true", expect = ACCEPTABLE, desc = "The first still waits as before.")
@State
public class WaitChoiceStressTest {

  private static final int ANSWERS = 1_000;

  private final WaitChoice choice = new WaitChoice(0, 0); // parks; a trial is due after a window

  /**
   * A wait that begins.
   *
   * @param result whether it yields
   */
  @Actor
  public void first(ZZZ_Result result) {
    result.r1 = choice.begin(WaitChoice.WINDOW_NS, ANSWERS);
  }

  /**
   * Another one.
   *
   * @param result whether it yields
   */
  @Actor
  public void second(ZZZ_Result result) {
    result.r2 = choice.begin(WaitChoice.WINDOW_NS, ANSWERS);
  }

  /**
   * Ends the pause, and a window in which the other way brings nothing, which goes on for 100 ms:
   * had a phase been skipped, it would have begun, and end, earlier.
   *
   * @param result whether threads yield in the trial, and park after it
   */
  @Arbiter
  public void trial(ZZZ_Result result) {
    long pauseEndNs = WaitChoice.WINDOW_NS + WaitChoice.SETTLE_NS;
    boolean pauses = choice.begin(pauseEndNs - 1, ANSWERS);
    boolean tries = choice.begin(pauseEndNs, ANSWERS);
    boolean goesOn = choice.begin(pauseEndNs + WaitChoice.LONGEST_WINDOW_NS - 1, ANSWERS);
    boolean ends = !choice.begin(pauseEndNs + 2 * WaitChoice.LONGEST_WINDOW_NS - 1, ANSWERS);
    result.r3 = pauses && tries && goesOn && ends;
  }
}
