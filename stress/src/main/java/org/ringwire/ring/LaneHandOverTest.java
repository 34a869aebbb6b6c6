package org.ringwire.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.ringwire.wire.FrameLayout;

/**
 * Who comes back to a {@link Lane}: its producer, who wakes the consumer, or the consumer by
 * itself; never both, which would schedule it twice, and never nobody.
 */
@JCStressTest
@Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "The consumer left; the producer wakes it.")
@Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "The consumer knows that a frame is coming.")
@Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "The consumer handled it and left.")
@Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "Handled, and not left yet.")
@Outcome(id = "0, 1, 0", expect = FORBIDDEN, desc = "Nobody comes back: the frame is lost.")
@Outcome(id = "1, 0, 0", expect = FORBIDDEN, desc = "Both come back: scheduled twice.")
@Outcome(id = "1, 0, 1", expect = FORBIDDEN, desc = "Both come back: scheduled twice.")
@State
public class LaneHandOverTest {

  private static final ReceiveBufferPool POOL = new ReceiveBufferPool(64 << 20);
  private static final int LENGTH = 16;
  private static final long HEADER = FrameLayout.header(FrameLayout.MESSAGE, 0, LENGTH);

  private final Lane lane = new Lane(POOL);
  private final MemorySegment source = MemorySegment.ofArray(new long[2]);

  /** One frame is about to be settled. */
  public LaneHandOverTest() {
    append();
    take();
  }

  private boolean append() {
    return lane.append(source, 0, LENGTH, HEADER);
  }

  private boolean take() {
    boolean found = lane.next();
    if (found) {
      lane.release();
    }
    return found;
  }

  /**
   * Appends.
   *
   * @param result 1 if it has to wake the consumer
   */
  @Actor
  public void producer(III_Result result) {
    result.r1 = append() ? 1 : 0;
  }

  /**
   * Takes what there is.
   *
   * @param result 1 if the lane was left, and the frames handled
   */
  @Actor
  public void consumer(III_Result result) {
    while (take()) {
      result.r3++;
    }
    result.r2 = lane.settle() ? 1 : 0;
  }

  /**
   * Returns the memory.
   *
   * @param result unchanged
   */
  @Arbiter
  public void arbiter(III_Result result) {
    lane.close();
  }
}
