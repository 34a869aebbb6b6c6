package org.ringwire.idle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Threads that count themselves in {@link Load} at the turn of a window. */
public final class LoadStressTest {

  private static final long WINDOW_NS = 1 << 23;
  private static final long NOW = 1_000 * WINDOW_NS;

  private LoadStressTest() {}

  /** Both begin a window that nobody was counted in, one says so twice. */
  @JCStressTest
  @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "Each is counted once; the last window stays.")
  @State
  public static class TurnOfTheWindow {
    private final Load load = new Load(() -> 2, NOW);
    private final ActiveThread first = new ActiveThread();
    private final ActiveThread second = new ActiveThread();
    private int before;

    /** One thread was active in the window before. */
    public TurnOfTheWindow() {
      load.note(new ActiveThread(), NOW);
      before = load.activeThreads(NOW);
    }

    /** Counts itself, and once more. */
    @Actor
    public void twice() {
      load.note(first, NOW + WINDOW_NS);
      load.note(first, NOW + WINDOW_NS + 1);
    }

    /** Counts itself. */
    @Actor
    public void once() {
      load.note(second, NOW + WINDOW_NS + 1);
    }

    /**
     * Looks.
     *
     * @param result threads before, and after
     */
    @Arbiter
    public void arbiter(II_Result result) {
      result.r1 = before;
      result.r2 = load.activeThreads(NOW + WINDOW_NS + 2);
    }
  }

  /** One begins a window while another one is still in the window before, and a third looks. */
  @JCStressTest
  @Outcome(id = "2, [12], 1", expect = ACCEPTABLE, desc = "The late one counts for its own window.")
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "Its window was over: it is not counted.")
  @State
  public static class LateThread {
    private final Load load = new Load(() -> 2, NOW);
    private final ActiveThread late = new ActiveThread();
    private final ActiveThread early = new ActiveThread();
    private int seen;

    /** One thread was active. */
    public LateThread() {
      load.note(new ActiveThread(), NOW);
    }

    /** Still in the old window. */
    @Actor
    public void late() {
      load.note(late, NOW + WINDOW_NS - 1);
    }

    /** Already in the new one. */
    @Actor
    public void early() {
      load.note(early, NOW + WINDOW_NS);
      seen = load.activeThreads(NOW + WINDOW_NS);
    }

    /**
     * Looks: in the new window at the greater of both counts, one window later at the new one.
     *
     * @param result what is seen in the new window now, what its first thread saw, and the window
     *     after it
     */
    @Arbiter
    public void arbiter(III_Result result) {
      result.r1 = load.activeThreads(NOW + WINDOW_NS);
      result.r2 = seen;
      result.r3 = load.activeThreads(NOW + 2 * WINDOW_NS);
    }
  }
}
