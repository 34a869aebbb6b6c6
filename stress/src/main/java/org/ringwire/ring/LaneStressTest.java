package org.ringwire.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.ringwire.wire.FrameLayout;

/**
 * A {@link Lane} whose consumer is about to return the last chunk while the producer appends. The
 * pool poisons what is returned, so that a frame in returned memory would not be recognized.
 */
@JCStressTest
@Outcome(id = "0, 2, 0", expect = ACCEPTABLE, desc = "Not empty; handled at once.")
@Outcome(id = "0, 0, 2", expect = ACCEPTABLE, desc = "Not empty; handled later.")
@Outcome(id = "1, 2, 0", expect = ACCEPTABLE, desc = "Was empty; handled at once all the same.")
@Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "Was empty; handled when woken.")
@State
public class LaneStressTest {

  private static final ReceiveBufferPool POOL = new ReceiveBufferPool(64 << 20, true);
  private static final int LENGTH = 16;
  private static final long HEADER = FrameLayout.header(FrameLayout.MESSAGE, 0, LENGTH);

  private final Lane lane = new Lane(POOL);
  private final MemorySegment source = MemorySegment.ofArray(new long[2]);

  /** Passes one frame, without the consumer having looked for more. */
  public LaneStressTest() {
    append(1);
    take();
  }

  private int append(long word) {
    FrameLayout.writeWord(source, 8, word);
    return lane.append(source, 0, LENGTH, HEADER) ? 1 : 0;
  }

  private int take() {
    if (!lane.next()) {
      boolean _ = lane.settle();
      return 0;
    }
    int word = (int) FrameLayout.readWord(lane.memory(), lane.offset() + 8);
    lane.release();
    return word;
  }

  /**
   * Appends a frame.
   *
   * @param result whether the lane was empty
   */
  @Actor
  public void producer(III_Result result) {
    result.r1 = append(2);
  }

  /**
   * Looks for a frame.
   *
   * @param result the frame
   */
  @Actor
  public void consumer(III_Result result) {
    result.r2 = take();
  }

  /**
   * Looks again.
   *
   * @param result the frame; -1 if the lane is not empty in the end
   */
  @Arbiter
  public void arbiter(III_Result result) {
    int word = take();
    result.r3 = take() == 0 && lane.isEmpty() ? word : -1;
  }
}
