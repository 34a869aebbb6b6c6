package org.ringwire.engine.inbound.workers;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A worker and one that helps it take from the same queue, to which the first one adds what it has
 * not ended, as a pool does: each work is taken by one of them, and the rest is found afterwards.
 *
 * <p>Of the result, the first two say which work each has found, 0 for none; the third is 0 if what
 * was left is what neither has taken.
 */
@JCStressTest
@Outcome(id = "1, 2, 0", expect = ACCEPTABLE, desc = "The worker was first.")
@Outcome(id = "2, 1, 0", expect = ACCEPTABLE, desc = "The helper was first.")
@Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "The worker came while the helper was taking.")
@Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "The helper came while the worker was taking.")
@State
public class WorkQueueHelpStressTest {

  private static final int ALL = 0b1110; // by number, with that which is added

  private final WorkQueue queue = new WorkQueue();

  /** Two are there. */
  public WorkQueueHelpStressTest() {
    queue.add(new NumberedWork(1));
    queue.add(new NumberedWork(2));
  }

  private int poll() {
    Work work = queue.poll();
    return work == null ? 0 : ((NumberedWork) work).number;
  }

  /**
   * Takes one and adds another.
   *
   * @param result what was found
   */
  @Actor
  public void worker(III_Result result) {
    result.r1 = poll();
    queue.add(new NumberedWork(3));
  }

  /**
   * Takes one.
   *
   * @param result what was found
   */
  @Actor
  public void helper(III_Result result) {
    result.r2 = poll();
  }

  /**
   * Takes the rest.
   *
   * @param result whether it is that
   */
  @Arbiter
  public void arbiter(III_Result result) {
    int found = 1 << result.r1 | 1 << result.r2;
    for (int number = poll(); number != 0; number = poll()) {
      found += 1 << number; // what comes twice is carried over
    }
    result.r3 = (found & ~1) == ALL && queue.isEmpty() ? 0 : found;
  }
}
