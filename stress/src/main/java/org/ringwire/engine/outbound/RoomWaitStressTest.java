package org.ringwire.engine.outbound;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.ringwire.engine.outbound.room.SpaceWaiters;

/** Two senders have room for one: who has sent makes it again, and says so. */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Both have sent.")
@Outcome(expect = FORBIDDEN, desc = "One was not woken.")
@State
public class RoomWaitStressTest {

  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

  private final SpaceWaiters waiters = new SpaceWaiters();
  private final AtomicInteger room = new AtomicInteger(1);

  /** With room for one. */
  public RoomWaitStressTest() {}

  private boolean sendAndMakeRoom() {
    boolean sent = send();
    room.incrementAndGet();
    waiters.signal();
    return sent;
  }

  private boolean send() {
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    SpaceWaiters.Wait wait = waiters.enter();
    try {
      while (true) {
        waiters.attempt(wait);
        if (room.getAndUpdate(there -> Math.max(0, there - 1)) > 0) {
          return true;
        }
        wait.lacks(1);
        if (!waiters.await(wait, deadlineNs)) {
          return false;
        }
      }
    } finally {
      waiters.leave(wait);
    }
  }

  /**
   * Sends when there is room.
   *
   * @param result whether it could
   */
  @Actor
  public void first(ZZ_Result result) {
    result.r1 = sendAndMakeRoom();
  }

  /**
   * Sends when there is room.
   *
   * @param result whether it could
   */
  @Actor
  public void second(ZZ_Result result) {
    result.r2 = sendAndMakeRoom();
  }
}
