package org.ringwire.engine.inbound.workers;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A worker polls an almost empty queue while work is added: everything is taken once, in order. */
@JCStressTest
@Outcome(id = "1, 2, 3", expect = ACCEPTABLE, desc = "All while it was added.")
@Outcome(id = "1, 2, 0", expect = ACCEPTABLE, desc = "The last later.")
@Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "The first while others were added.")
@Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "A producer was still linking the first.")
@Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "Nothing in between.")
@Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "Nothing at first.")
@Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "One in between.")
@Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "One at last.")
@State
public class WorkQueueStressTest {

  private final WorkQueue queue = new WorkQueue();
  private int last;

  /** One work is there. */
  public WorkQueueStressTest() {
    queue.add(new NumberedWork(1));
  }

  private int poll() {
    Work work = queue.poll();
    if (work == null) {
      return 0;
    }
    int number = ((NumberedWork) work).number;
    if (number != last + 1) {
      return -1;
    }
    last = number;
    return number;
  }

  /** Adds two. */
  @Actor
  public void producer() {
    queue.add(new NumberedWork(2));
    queue.add(new NumberedWork(3));
  }

  /**
   * Polls three times.
   *
   * @param result what was found
   */
  @Actor
  public void worker(III_Result result) {
    result.r1 = poll();
    result.r2 = poll();
    result.r3 = poll();
  }

  /**
   * The rest is there, and no more.
   *
   * @param result unchanged if so
   */
  @Arbiter
  public void arbiter(III_Result result) {
    while (last < 3) {
      if (poll() <= 0) {
        result.r1 = -1;
        return;
      }
    }
    if (poll() != 0 || !queue.isEmpty()) {
      result.r1 = -2;
    }
  }
}
