package org.ringwire.infiniband.msgrc;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Who receives ({@link ReceiveRole}): completions are taken one by one and in order, whoever takes
 * them, and of a thread that stands back and a leader that leaves one sees the other, so that
 * somebody will look. What is not listed is forbidden.
 */
public final class ReceiveRoleStressTest {

  private ReceiveRoleStressTest() {}

  /** A completion queue with two completions; its state is plain, and guarded by the role. */
  private static final class Completions {

    private static final int COUNT = 2;

    private int taken;

    /** The number of the next one, or 0 if there is none. */
    int take() {
      return taken < COUNT ? ++taken : 0;
    }
  }

  /**
   * A round of the receive thread against a leader. One of them receives in any case: the thread
   * stands back only for somebody who leads, or wants to and then finds the role free. The leader
   * gives up only if the thread keeps the role for as long as it tries.
   */
  @JCStressTest
  @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "The leader waits for the end of the round.")
  @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "The round follows the leader.")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The thread stands back for the leader.")
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The thread was held up; the leader gives up.")
  @State
  public static class RoundAndLeader {

    private final ReceiveRole role = new ReceiveRole();
    private final Completions completions = new Completions();

    /**
     * Receives as in one round.
     *
     * @param result which completion it has taken
     */
    @Actor
    public void thread(II_Result result) {
      if (role.tryTake()) {
        result.r1 = completions.take();
        role.giveBack();
      }
    }

    /**
     * Leads.
     *
     * @param result which completion it has taken
     */
    @Actor
    public void leader(II_Result result) {
      if (role.tryLead()) {
        result.r2 = completions.take();
        boolean _ = role.endLead();
      }
    }

    /**
     * Looks at the role.
     *
     * @param result unchanged if it is free, and nobody wants it
     */
    @Arbiter
    public void arbiter(II_Result result) {
      if (!role.tryTake()) {
        result.r1 = -1;
      }
    }
  }

  /** Two that want to lead: one does, and the other gives up only while somebody leads. */
  @JCStressTest
  @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "One after the other.")
  @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "The other after the one.")
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The other finds a leader.")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The one finds a leader.")
  @State
  public static class TwoLeaders {

    private final ReceiveRole role = new ReceiveRole();
    private final Completions completions = new Completions();

    private int lead() {
      if (!role.tryLead()) {
        return 0;
      }
      int taken = completions.take();
      boolean _ = role.endLead();
      return taken;
    }

    /**
     * Leads.
     *
     * @param result which completion it has taken
     */
    @Actor
    public void one(II_Result result) {
      result.r1 = lead();
    }

    /**
     * Leads.
     *
     * @param result which completion it has taken
     */
    @Actor
    public void other(II_Result result) {
      result.r2 = lead();
    }

    /**
     * Looks at the role.
     *
     * @param result unchanged if it is free, and nobody wants it
     */
    @Arbiter
    public void arbiter(II_Result result) {
      if (!role.tryTake()) {
        result.r1 = -1;
      }
    }
  }

  /**
   * The receive thread goes to sleep without a limit, because a leader stays, who leaves just then.
   * The thread writes that it dozes and then looks for the leader; the leader gives the role back
   * and then looks whether the thread dozes. Both are volatile, so not both find the old value,
   * which would leave the thread asleep, and what arrives with nobody.
   */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The thread sleeps, and is woken.")
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The thread finds that the leader has left.")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Both see the other: woken without need.")
  @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "The thread sleeps, and nobody wakes it.")
  @State
  public static class Doze {

    private final ReceiveRole role = new ReceiveRole();

    /** A leader had the role for all of the last wait of the thread. */
    public Doze() {
      if (!role.tryLead() || !role.disarm() || role.tryRearm()) {
        throw new IllegalStateException("nobody leads");
      }
    }

    /**
     * Wants to sleep.
     *
     * @param result whether it does
     */
    @Actor
    public void thread(II_Result result) {
      result.r1 = role.tryDoze() ? 1 : 0;
    }

    /**
     * Leaves.
     *
     * @param result whether it wakes the thread
     */
    @Actor
    public void leader(II_Result result) {
      result.r2 = role.endLead() ? 1 : 0;
    }
  }

  /**
   * The receive thread stands back for a leader, who leaves just then, and leaves others waiting:
   * so it asks for the thread if that waits for no event ({@code IbLink.resumeReading}). The thread
   * writes that it is disarmed and then looks at the role; the leader gives the role back and then
   * looks whether the thread is disarmed.
   */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The thread stands back, and is asked for.")
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The thread goes on: the role is free.")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Both see the other: asked for without need.")
  @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "The thread stands back for nobody.")
  @State
  public static class StandBack {

    private final ReceiveRole role = new ReceiveRole();

    /** Somebody leads. */
    public StandBack() {
      if (!role.tryLead()) {
        throw new IllegalStateException("nobody leads");
      }
    }

    /**
     * Stands back.
     *
     * @param result whether it does
     */
    @Actor
    public void thread(II_Result result) {
      result.r1 = role.disarm() ? 1 : 0;
    }

    /**
     * Leaves, and has left others waiting.
     *
     * @param result whether it asks for the thread
     */
    @Actor
    public void leader(II_Result result) {
      boolean _ = role.endLead();
      result.r2 = role.isDisarmed() ? 1 : 0;
    }
  }
}
