package org.ringwire.transport.support;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Who closes what a {@link Gate} guards. What is not listed is forbidden. */
public final class GateStressTest {

  private GateStressTest() {}

  /** A visit against a close: what is guarded is whole inside, and ends after the visit. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "Let in; the visitor closes when it leaves.")
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "Let in, and gone before the close.")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "Refused; both may say that it is closed.")
  @State
  public static class Visit {

    private final Gate gate = new Gate();
    private boolean ended;
    private boolean visited;

    /**
     * Goes in, looks, goes out.
     *
     * @param result whether it was let in, whether it was the last to leave
     */
    @Actor
    public void visitor(III_Result result) {
      boolean inside = gate.enter();
      if (inside) {
        result.r1 = ended ? -1 : 1;
        visited = true;
      }
      result.r2 = gate.leave() ? end(inside) : 0;
    }

    /**
     * Closes.
     *
     * @param result whether nobody was inside
     */
    @Actor
    public void closer(III_Result result) {
      result.r3 = gate.close() ? end(false) : 0;
    }

    private int end(boolean sawVisit) {
      ended = true;
      return sawVisit && !visited ? -1 : 1;
    }

    /**
     * Looks at what is left.
     *
     * @param result unchanged if it is closed for ever
     */
    @Arbiter
    public void arbiter(III_Result result) {
      if (!ended || !gate.isClosed() || !gate.isClosing() || gate.enter()) {
        result.r1 = -2;
      }
    }
  }

  /** What a visitor wrote is seen by the thread that closes behind it. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The visitor was the last.")
  @Outcome(id = "0, 7", expect = ACCEPTABLE, desc = "The closer was, and saw the visit.")
  @State
  public static class Publication {

    private final Gate gate = new Gate();
    private int written;

    /** A visitor is inside. */
    public Publication() {
      if (!gate.enter()) {
        throw new IllegalStateException("closed");
      }
    }

    /**
     * Writes and goes out.
     *
     * @param result whether it was the last
     */
    @Actor
    public void visitor(II_Result result) {
      written = 7;
      result.r1 = gate.leave() ? 1 : 0;
    }

    /**
     * Closes.
     *
     * @param result what was written
     */
    @Actor
    public void closer(II_Result result) {
      result.r2 = gate.close() ? written : 0;
    }
  }

  /** Two leave a closed gate: one of them is the last. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The first one.")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The second one.")
  @State
  public static class LastToLeave {

    private final Gate gate = new Gate();

    /** Two are inside when it closes. */
    public LastToLeave() {
      if (!enterTwice() || gate.close()) {
        throw new IllegalStateException("not two inside");
      }
    }

    private boolean enterTwice() {
      boolean entered = gate.enter();
      return gate.enter() && entered;
    }

    /**
     * Goes out.
     *
     * @param result whether it was the last
     */
    @Actor
    public void first(II_Result result) {
      result.r1 = gate.leave() ? 1 : 0;
    }

    /**
     * Goes out.
     *
     * @param result whether it was the last
     */
    @Actor
    public void second(II_Result result) {
      result.r2 = gate.leave() ? 1 : 0;
    }
  }
}
