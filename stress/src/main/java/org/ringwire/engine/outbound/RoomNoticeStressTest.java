package org.ringwire.engine.outbound;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.ringwire.engine.outbound.room.SpaceWaiters;

/** Somebody leaves a notice while room is made. */
@JCStressTest
@Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "Left the notice, and was told.")
@Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "Found the room.")
@Outcome(id = "true, 0", expect = FORBIDDEN, desc = "The notice is forgotten.")
@Outcome(id = "false, 1", expect = FORBIDDEN, desc = "Told twice.")
@State
public class RoomNoticeStressTest {

  private final SpaceWaiters waiters = new SpaceWaiters();
  private int room;
  private int told;

  /** No room yet. */
  public RoomNoticeStressTest() {}

  /**
   * Has found no room.
   *
   * @param result whether the notice stays
   */
  @Actor
  public void sender(ZI_Result result) {
    result.r1 = waiters.tryNotify(new SpaceWaiters.Notice(() -> room == 1, () -> told++));
  }

  /** Makes room, and says so. */
  @Actor
  public void receiver() {
    room = 1;
    waiters.signal();
  }

  /**
   * Afterwards.
   *
   * @param result with how often the sender was told
   */
  @Arbiter
  public void arbiter(ZI_Result result) {
    result.r2 = told;
  }
}
