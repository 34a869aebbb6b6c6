package org.ringwire.transport.loopback;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.ringwire.transport.loopback.Delegation.Work;

/** What is left to the thread of a loopback transport. What is not listed is forbidden. */
public final class DelegationStressTest {

  private DelegationStressTest() {}

  /** An offer against the end: who offered does the work exactly if nobody else has. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Taken, and done.")
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Refused, and left to who offered it.")
  @State
  public static class OfferAndEnd {

    private final Delegation delegation = new Delegation();
    private int done;

    /**
     * Offers.
     *
     * @param result whether it was taken
     */
    @Actor
    public void sender(II_Result result) {
      result.r1 = delegation.offer(new Work(() -> done++)) ? 1 : 0;
    }

    /** Ends. */
    @Actor
    public void loop() {
      delegation.end();
    }

    /**
     * Looks.
     *
     * @param result how often it was done
     */
    @Arbiter
    public void look(II_Result result) {
      result.r2 = done;
    }
  }

  /** Two offers against a round of the loop: what is taken is done once, and its writes seen. */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "The second one's comes too early.")
  @Outcome(id = "1, 1, 3", expect = ACCEPTABLE, desc = "One after the other.")
  @State
  public static class OffersAndRun {

    private final Delegation delegation = new Delegation();
    private int written;
    private int done;

    /**
     * Offers twice.
     *
     * @param result what was taken
     */
    @Actor
    public void sender(III_Result result) {
      result.r1 = delegation.offer(new Work(() -> done++)) ? 1 : 0;
      written = 2;
      result.r2 = delegation.offer(new Work(() -> done += written)) ? 1 : 0;
    }

    /** Does what lies there. */
    @Actor
    public void loop() {
      boolean _ = delegation.run();
    }

    /**
     * The loop comes round again, and looks.
     *
     * @param result what was done
     */
    @Arbiter
    public void look(III_Result result) {
      boolean _ = delegation.run();
      result.r3 = done;
    }
  }

  /** Work that lies there, and looks at what was written last. */
  abstract static class Looking {

    final Delegation delegation = new Delegation();
    final Work work = new Work(this::work);
    volatile int written = 1;
    int seen;

    Looking() {
      boolean _ = delegation.offer(work);
    }

    private void work() {
      seen = written;
    }

    /** Has something new for it; returns 1 if it was taken, else 0. */
    final int offer(int next) {
      written = next;
      return delegation.offer(work) ? 1 : 0;
    }
  }

  /** Work that is offered while it is done is done once more, so that it sees what came before. */
  @JCStressTest
  @Outcome(
      id = "1, 2",
      expect = ACCEPTABLE,
      desc = "Taken, and seen, by the first turn or another.")
  @State
  public static class SameWork extends Looking {

    /** Does what lies there. */
    @Actor
    public void loop() {
      boolean _ = delegation.run();
    }

    /**
     * Offers it once more.
     *
     * @param result whether it was taken
     */
    @Actor
    public void sender(II_Result result) {
      result.r1 = offer(2);
    }

    /**
     * The loop comes round again, and looks.
     *
     * @param result what the work has seen
     */
    @Arbiter
    public void look(II_Result result) {
      boolean _ = delegation.run();
      result.r2 = seen;
    }
  }

  /** Work that is offered twice while it is done is done once more, after the last offer. */
  @JCStressTest
  @Outcome(
      id = "1, 1, 3",
      expect = ACCEPTABLE,
      desc = "Taken, and seen, by the first turn or another.")
  @State
  public static class SameWorkTwice extends Looking {

    /** Does what lies there. */
    @Actor
    public void loop() {
      boolean _ = delegation.run();
    }

    /**
     * Offers it twice more.
     *
     * @param result what was taken
     */
    @Actor
    public void sender(III_Result result) {
      result.r1 = offer(2);
      result.r2 = offer(3);
    }

    /**
     * The loop comes round again, and looks.
     *
     * @param result what the work has seen
     */
    @Arbiter
    public void look(III_Result result) {
      boolean _ = delegation.run();
      result.r3 = seen;
    }
  }

  /** Work that is to be done once more keeps its place until it was. */
  @JCStressTest
  @Outcome(id = "2, 0, 2", expect = ACCEPTABLE, desc = "Other work comes before that.")
  @Outcome(id = "2, 1, 12", expect = ACCEPTABLE, desc = "Other work comes afterwards.")
  @State
  public static class OnceMore {

    private final Delegation delegation = new Delegation();
    private int done;

    /** The work lies there. */
    public OnceMore() {
      boolean _ = delegation.offer(new Work(this::work));
    }

    private void work() {
      if (++done == 1) {
        boolean _ = delegation.again();
      }
    }

    /**
     * Does what lies there, twice.
     *
     * @param result how often the work was done
     */
    @Actor
    public void loop(III_Result result) {
      boolean _ = delegation.run();
      boolean _ = delegation.run();
      result.r1 = done;
    }

    /**
     * Offers other work.
     *
     * @param result whether it was taken
     */
    @Actor
    public void sender(III_Result result) {
      result.r2 = delegation.offer(new Work(() -> done += 10)) ? 1 : 0;
    }

    /**
     * The loop comes round again, and looks.
     *
     * @param result what was done
     */
    @Arbiter
    public void look(III_Result result) {
      boolean _ = delegation.run();
      result.r3 = done;
    }
  }
}
