package org.ringwire.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two producers of an {@link OutboundRing}. What is not listed is forbidden. */
public final class OutboundRingProducersTest {

  private OutboundRingProducersTest() {}

  /** Both frames arrive, in one order or the other. */
  @JCStressTest
  @Outcome(id = "12, 32", expect = ACCEPTABLE, desc = "The first one first.")
  @Outcome(id = "21, 32", expect = ACCEPTABLE, desc = "The second one first.")
  @State
  public static class Claims {

    private final StressedRing it = new StressedRing();

    /** Sends 1. */
    @Actor
    public void first() {
      it.send(1, 1000);
    }

    /** Sends 2. */
    @Actor
    public void second() {
      it.send(2, 1000);
    }

    /**
     * Takes what there is.
     *
     * @param result words in order, bytes charged
     */
    @Arbiter
    public void arbiter(II_Result result) {
      result.r1 = it.takeAll();
      result.r2 = it.isClean() ? (int) it.charged() : -1;
    }
  }

  /** The same where the memory ends: the padding is claimed once, and is not charged. */
  @JCStressTest
  @Outcome(id = "12, 32", expect = ACCEPTABLE, desc = "The first one first.")
  @Outcome(id = "21, 32", expect = ACCEPTABLE, desc = "The second one first.")
  @State
  public static class ClaimsAtTheEnd {

    private final StressedRing it = new StressedRing();

    /** Leaves 8 bytes. */
    public ClaimsAtTheEnd() {
      it.use(56);
    }

    /** Sends 1. */
    @Actor
    public void first() {
      it.send(1, 32);
    }

    /** Sends 2. */
    @Actor
    public void second() {
      it.send(2, 32);
    }

    /**
     * Takes what there is.
     *
     * @param result words in order, bytes charged
     */
    @Arbiter
    public void arbiter(II_Result result) {
      result.r1 = it.takeAll();
      result.r2 = it.isClean() ? (int) it.charged() : -1;
    }
  }

  /** There is credit for one, which one of them gets. */
  @JCStressTest
  @Outcome(id = "1, -2, 16", expect = ACCEPTABLE, desc = "The first one.")
  @Outcome(id = "-2, 1, 16", expect = ACCEPTABLE, desc = "The second one.")
  @State
  public static class CreditForOne {

    private final StressedRing it = new StressedRing();

    /** Leaves 8 bytes, so that there is padding, too. */
    public CreditForOne() {
      it.use(56);
    }

    /**
     * Sends.
     *
     * @param result whether it could
     */
    @Actor
    public void first(III_Result result) {
      result.r1 = it.send(1, 16);
    }

    /**
     * Sends.
     *
     * @param result whether it could
     */
    @Actor
    public void second(III_Result result) {
      result.r2 = it.send(2, 16);
    }

    /**
     * Adds up.
     *
     * @param result bytes charged
     */
    @Arbiter
    public void arbiter(III_Result result) {
      result.r3 = (int) it.charged();
    }
  }

  /** There is credit for one, in the ring or outside of it. */
  @JCStressTest
  @Outcome(id = "1, 0, 16", expect = ACCEPTABLE, desc = "The frame in the it.ring.")
  @Outcome(id = "-2, 1, 16", expect = ACCEPTABLE, desc = "The frame outside.")
  @State
  public static class CreditInsideOrOutside {

    private final StressedRing it = new StressedRing();

    /**
     * Sends.
     *
     * @param result whether it could
     */
    @Actor
    public void inside(III_Result result) {
      result.r1 = it.send(1, 16);
    }

    /**
     * Charges.
     *
     * @param result whether it could
     */
    @Actor
    public void outside(III_Result result) {
      result.r2 = it.ring.tryCharge(16, 16) ? 1 : 0;
    }

    /**
     * Adds up.
     *
     * @param result bytes charged
     */
    @Arbiter
    public void arbiter(III_Result result) {
      result.r3 = (int) it.charged();
    }
  }

  /** There is credit for one of two frames outside. */
  @JCStressTest
  @Outcome(id = "1, 0, 16", expect = ACCEPTABLE, desc = "The first one.")
  @Outcome(id = "0, 1, 16", expect = ACCEPTABLE, desc = "The second one.")
  @State
  public static class CreditOutside {

    private final StressedRing it = new StressedRing();

    /**
     * Charges.
     *
     * @param result whether it could
     */
    @Actor
    public void first(III_Result result) {
      result.r1 = it.ring.tryCharge(16, 16) ? 1 : 0;
    }

    /**
     * Charges.
     *
     * @param result whether it could
     */
    @Actor
    public void second(III_Result result) {
      result.r2 = it.ring.tryCharge(16, 16) ? 1 : 0;
    }

    /**
     * Adds up.
     *
     * @param result bytes charged
     */
    @Arbiter
    public void arbiter(III_Result result) {
      result.r3 = (int) it.charged();
    }
  }

  /** A claim that is exempt takes no credit from another, not even for a moment. */
  @JCStressTest
  @Outcome(id = "1, 16", expect = ACCEPTABLE, desc = "Never refused.")
  @State
  public static class ExemptClaim {

    private final StressedRing it = new StressedRing();

    /** Leaves 8 bytes, so that there is padding, too. */
    public ExemptClaim() {
      it.use(56);
    }

    /**
     * Sends with just enough credit.
     *
     * @param result whether it could
     */
    @Actor
    public void charged(II_Result result) {
      result.r1 = it.send(1, 16);
    }

    /** Claims without credit. */
    @Actor
    public void exempt() {
      it.commit(it.ring.tryClaimUncharged(StressedRing.LENGTH), 2);
    }

    /**
     * Adds up.
     *
     * @param result bytes charged
     */
    @Arbiter
    public void arbiter(II_Result result) {
      result.r2 = (int) it.charged();
    }
  }

  /** One gives up its frame while the other commits one behind it. */
  @JCStressTest
  @Outcome(id = "2, 16", expect = ACCEPTABLE, desc = "The other frame arrives.")
  @State
  public static class AbortAndCommit {

    private final StressedRing it = new StressedRing();

    private final long aborted = it.ring.tryClaim(StressedRing.LENGTH, 1000);
    private final long committed = it.ring.tryClaim(StressedRing.LENGTH, 1000);

    /** Gives up. */
    @Actor
    public void abort() {
      it.encode(aborted, 1);
      it.ring.abort(aborted, StressedRing.LENGTH);
    }

    /** Commits. */
    @Actor
    public void commit() {
      it.commit(committed, 2);
    }

    /**
     * Takes what there is.
     *
     * @param result words in order, bytes charged
     */
    @Arbiter
    public void arbiter(II_Result result) {
      result.r1 = it.takeAll();
      result.r2 = it.isClean() ? (int) it.charged() : -1;
    }
  }

  /** A claim against the end of all claims: refused, or counted. */
  @JCStressTest
  @Outcome(id = "1, 16", expect = ACCEPTABLE, desc = "Claimed before.")
  @Outcome(id = "-1, 0", expect = ACCEPTABLE, desc = "Refused.")
  @State
  public static class Seal {

    private final StressedRing it = new StressedRing();

    /**
     * Sends.
     *
     * @param result whether it could
     */
    @Actor
    public void producer(II_Result result) {
      result.r1 = it.send(1, Long.MAX_VALUE);
    }

    /** Refuses whatever comes from now on. */
    @Actor
    public void closer() {
      it.ring.seal();
    }

    /**
     * Adds up.
     *
     * @param result bytes claimed
     */
    @Arbiter
    public void arbiter(II_Result result) {
      result.r2 = (int) it.ring.claimed();
    }
  }
}
