package org.ringwire.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.ringwire.wire.FrameLayout;

/** The consumer of an {@link OutboundRing} against another thread. */
public final class OutboundRingConsumerTest {

  private OutboundRingConsumerTest() {}

  /** The consumer sees a frame whole or not at all, and then later. */
  @JCStressTest
  @Outcome(id = "7, 0, 16", expect = ACCEPTABLE, desc = "Taken at once.")
  @Outcome(id = "0, 7, 16", expect = ACCEPTABLE, desc = "Taken later.")
  @State
  public static class Publication {

    private final StressedRing it = new StressedRing();

    /** Leaves 8 bytes, so that the consumer must skip padding. */
    public Publication() {
      it.use(56);
    }

    /** Sends. */
    @Actor
    public void producer() {
      it.send(7, 1000);
    }

    /**
     * Takes.
     *
     * @param result words seen
     */
    @Actor
    public void consumer(III_Result result) {
      result.r1 = it.take();
    }

    /**
     * Takes the rest.
     *
     * @param result words seen, bytes charged
     */
    @Arbiter
    public void arbiter(III_Result result) {
      result.r2 = it.takeAll();
      result.r3 = it.isClean() ? (int) it.charged() : -1;
    }
  }

  /** Memory is free for a producer only when its marks are cleared. */
  @JCStressTest
  @Outcome(id = "-1, 0, 1", expect = ACCEPTABLE, desc = "Still full.")
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "Released, and unmarked.")
  @State
  public static class Release {

    private final StressedRing it = new StressedRing();

    private long offset;

    /** Fills the it.ring. */
    public Release() {
      for (int word = 1; word <= 4; word++) {
        it.send(word, 1000);
      }
      it.ring.consumer().sent(it.ring.consumer().scan(64));
    }

    /** Releases the first frame. */
    @Actor
    public void completer() {
      it.ring.consumer().completed(16);
    }

    /**
     * Claims it.
     *
     * @param result whether it could, and which marks were there
     */
    @Actor
    public void producer(III_Result result) {
      long position = it.ring.tryClaim(StressedRing.LENGTH, 1000);
      result.r1 = position < 0 ? (int) position : 1;
      if (position >= 0) {
        offset = it.ring.offset(position);
        result.r2 = it.ring.marks().get(offset) | it.ring.marks().get(offset + 8);
      }
    }

    /**
     * Looks at the place.
     *
     * @param result whether the claim got the first frame's place
     */
    @Arbiter
    public void arbiter(III_Result result) {
      result.r3 = offset == 0 ? 1 : 0;
    }
  }

  /** A frame is given up while the consumer looks for it. */
  @JCStressTest
  @Outcome(id = "2, 0, 16", expect = ACCEPTABLE, desc = "Skipped at once.")
  @Outcome(id = "0, 2, 16", expect = ACCEPTABLE, desc = "Skipped later.")
  @State
  public static class Abort {

    private final StressedRing it = new StressedRing();

    private final long aborted = it.ring.tryClaim(StressedRing.LENGTH, 1000);

    /** Commits a frame behind the one to give up. */
    public Abort() {
      it.send(2, 1000);
    }

    /** Gives up. */
    @Actor
    public void producer() {
      it.encode(aborted, 1);
      it.ring.abort(aborted, StressedRing.LENGTH);
    }

    /**
     * Takes.
     *
     * @param result words seen
     */
    @Actor
    public void consumer(III_Result result) {
      result.r1 = it.take();
    }

    /**
     * Takes the rest.
     *
     * @param result words seen, bytes charged
     */
    @Arbiter
    public void arbiter(III_Result result) {
      result.r2 = it.takeAll();
      result.r3 = it.isClean() ? (int) it.charged() : -1;
    }
  }

  /** A restart against claims that need the whole ring: none is refused, none is lost. */
  @JCStressTest
  @Outcome(id = "1, 1234, 64", expect = ACCEPTABLE, desc = "Restarted before.")
  @Outcome(id = "0, 1234, 64", expect = ACCEPTABLE, desc = "A claim came first.")
  @State
  public static class Restart {

    private final StressedRing it = new StressedRing();

    /** Makes a restart worth it. */
    public Restart() {
      it.use(48);
    }

    /**
     * Restarts.
     *
     * @param result whether the ring moved
     */
    @Actor
    public void consumer(III_Result result) {
      result.r1 = it.ring.consumer().restart() ? 1 : 0;
    }

    /** Fills the ring, with just enough credit. */
    @Actor
    public void producer() {
      for (int word = 1; word <= 4; word++) {
        it.send(word, 64);
      }
    }

    /**
     * Takes what there is.
     *
     * @param result words in order, bytes charged
     */
    @Arbiter
    public void arbiter(III_Result result) {
      result.r2 = it.takeAll();
      result.r3 = it.isClean() ? (int) it.charged() : -1;
    }
  }

  /**
   * A restart ahead of the last completion, against that and claims, the last of which needs the
   * room that both make: whoever finds none can tell that completions are to be asked for.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 1234", expect = ACCEPTABLE, desc = "Restarted, and there is room.")
  @Outcome(id = "1, 2, 123", expect = ACCEPTABLE, desc = "Restarted, and room is asked for.")
  @Outcome(id = "0, [23], 123", expect = ACCEPTABLE, desc = "A claim came first.")
  @State
  public static class RestartAhead {

    private final StressedRing it = new StressedRing();

    /** Leaves 8 bytes that are sent and not completed. */
    public RestartAhead() {
      it.use(48);
      it.ring.commit(it.ring.tryClaimUncharged(8), FrameLayout.header(FrameLayout.RESPONSE, 0, 8));
      it.ring.consumer().sent(it.ring.consumer().scan(64));
    }

    /**
     * Restarts.
     *
     * @param result whether the ring moved
     */
    @Actor
    public void consumer(III_Result result) {
      result.r1 = it.ring.consumer().restartAhead() ? 1 : 0;
    }

    /**
     * Completes them, and fills the ring.
     *
     * @param result of the last claim: 1 if it has room, 2 if it has none and would ask, 3 if it
     *     would not
     */
    @Actor
    public void producer(III_Result result) {
      for (int word = 1; word <= 3; word++) {
        it.send(word, 1000);
      }
      it.ring.consumer().completed(8);
      long before = it.ring.consumer().restartsAhead();
      boolean sent = it.send(4, 1000) == 1;
      long after = it.ring.consumer().restartsAhead();
      result.r2 = sent ? 1 : before != after || (after & 1) != 0 ? 2 : 3;
    }

    /**
     * Takes what there is.
     *
     * @param result words in order
     */
    @Arbiter
    public void arbiter(III_Result result) {
      int words = it.takeAll();
      result.r3 = it.isClean() ? words : -1;
    }
  }

  /** A frame is skipped while the medium completes the bytes before it: one of them releases it. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Both are released.")
  @State
  public static class Skip {

    private final StressedRing it = new StressedRing();

    /** Sends a frame and leaves an aborted one behind it. */
    public Skip() {
      it.send(1, 1000);
      it.ring.abort(it.ring.tryClaim(StressedRing.LENGTH, 1000), StressedRing.LENGTH);
      it.ring.consumer().sent(it.ring.consumer().scan(64));
    }

    /** Completes the frame. */
    @Actor
    public void completer() {
      it.ring.consumer().completed(16);
    }

    /**
     * Skips the other one.
     *
     * @param result bytes to send
     */
    @Actor
    public void consumer(II_Result result) {
      result.r1 = (int) it.ring.consumer().scan(64);
    }

    /**
     * Looks at the it.ring.
     *
     * @param result whether all is released
     */
    @Arbiter
    public void arbiter(II_Result result) {
      result.r2 = it.isClean() ? 1 : 0;
    }
  }
}
