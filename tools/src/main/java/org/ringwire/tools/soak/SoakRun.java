package org.ringwire.tools.soak;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.ringwire.tools.console.Text;

/** A whole soak, from the start of the nodes to the ledger. */
final class SoakRun implements AutoCloseable {

  private static final double WARM_UP_SHARE = 0.25;
  private static final double LONGEST_WARM_UP_SECONDS = 60;
  private static final double CALM_SECONDS = 3;
  private static final int WARM_MESSAGES = 500;
  private static final double WARM_LOOK_SECONDS = 0.1;
  private static final double SETTLE_LOOK_SECONDS = 0.1;
  private static final long PATIENCE_NS = 60_000_000_000L;
  private static final double STEP_SECONDS = 0.02;
  private static final long PROGRESS_NS = 10_000_000_000L;

  private final SoakSpec spec;
  private final double minutes;
  private final boolean chaotic;
  private final Corruption corruption;
  private final Consumer<String> progress;
  private final Crew crew;
  private final Chaos chaos;
  private final long beginNs = System.nanoTime();
  private long saidNs = beginNs;

  SoakRun(
      SoakSpec spec,
      double minutes,
      boolean chaotic,
      Corruption corruption,
      Consumer<String> progress) {
    this.spec = spec;
    this.minutes = minutes;
    this.chaotic = chaotic;
    this.corruption = corruption;
    this.progress = progress;
    crew = new Crew(spec, _ -> "127.0.0.1:0", _ -> List.of(), progress);
    chaos = new Chaos(crew, spec.nodes(), spec.seed(), progress);
  }

  SoakResult run() throws InterruptedException {
    progress.accept("starting " + spec.nodes() + " nodes, seed " + spec.seed());
    crew.startAll();
    runAll();
    double seconds = minutes * 60;
    double warmUp = Math.min(seconds * WARM_UP_SHARE, LONGEST_WARM_UP_SECONDS);
    disturb(warmUp);
    awaitTraffic();
    List<Resources> before = rest();
    int[] lives = lives();
    runAll();
    disturb(seconds - warmUp);
    crew.corrupt(1, corruption);
    pace(CALM_SECONDS);
    List<Resources> after = rest();
    int[] livesAfter = lives();
    for (int id = 1; id <= spec.nodes(); id++) {
      crew.beginEnd(id);
      crew.awaitEnd(id);
    }
    progress.accept("reading the ledger");
    Tally tally = Audit.of(Path.of(spec.folder()), progress);
    List<Resources> then = new ArrayList<>();
    List<Resources> now = new ArrayList<>();
    for (int i = 0; i < lives.length; i++) {
      if (lives[i] == livesAfter[i]) {
        then.add(before.get(i));
        now.add(after.get(i));
      }
    }
    return result(tally, then, now);
  }

  private void runAll() {
    for (int id = 1; id <= spec.nodes(); id++) {
      crew.run(id);
    }
  }

  private void disturb(double seconds) throws InterruptedException {
    long endNs = System.nanoTime() + Math.round(seconds * 1e9);
    while (System.nanoTime() < endNs) {
      if (chaotic) {
        chaos.step();
      }
      pace(STEP_SECONDS);
    }
    chaos.calm();
  }

  /** The pace of chaos: lets the nodes go on for so long, and sees that they do. */
  private void pace(double seconds) throws InterruptedException {
    Thread.sleep(Math.round(seconds * 1e3));
    crew.check();
    if (System.nanoTime() - saidNs > PROGRESS_NS) {
      saidNs = System.nanoTime();
      progress.accept(
          Text.format(
              "%s: %,d accepted, %d kills, %d restarts, %d stalls, %d dismissals",
              soFar((saidNs - beginNs) / 60e9, minutes),
              Audit.accepted(Path.of(spec.folder())),
              chaos.kills(),
              chaos.restarts(),
              chaos.stalls(),
              Audit.dismissals(Path.of(spec.folder()))));
    }
  }

  /** The start, and the rest before resources are looked at, come on top of what was asked for. */
  static String soFar(double elapsed, double minutes) {
    return Text.format("%.1f of %.1f min", Math.min(elapsed, minutes), minutes);
  }

  /** On a machine that is busy otherwise the warm-up takes longer. */
  private void awaitTraffic() throws InterruptedException {
    long least = (long) WARM_MESSAGES * spec.nodes() * spec.threads();
    long endNs = System.nanoTime() + PATIENCE_NS;
    while (Audit.accepted(Path.of(spec.folder())) < least && System.nanoTime() < endNs) {
      pace(WARM_LOOK_SECONDS);
    }
  }

  /** Everybody is there, reaches everybody, and then does nothing. */
  private List<Resources> rest() throws InterruptedException {
    crew.pause();
    crew.touch();
    long endNs = System.nanoTime() + PATIENCE_NS;
    while (!crew.settle()) {
      if (System.nanoTime() > endNs) {
        throw new IllegalStateException("the nodes do not come to rest");
      }
      pace(SETTLE_LOOK_SECONDS);
    }
    return crew.measure();
  }

  private int[] lives() {
    int[] lives = new int[spec.nodes()];
    for (int id = 1; id <= lives.length; id++) {
      lives[id - 1] = crew.life(id);
    }
    return lives;
  }

  private SoakResult result(Tally tally, List<Resources> before, List<Resources> after) {
    return new SoakResult(
        minutes,
        spec.nodes(),
        chaotic,
        spec.seed(),
        tally.accepted(),
        tally.delivered(),
        tally.reportedLost(),
        tally.uncertain(),
        tally.acceptedByKilled(),
        tally.duplicated(),
        tally.unaccounted(),
        tally.outOfOrder(),
        tally.miscounted(),
        tally.damaged(),
        crew.timedOutRequests(),
        crew.wrongRequests(),
        chaos.kills(),
        chaos.restarts(),
        chaos.stalls(),
        Audit.dismissals(Path.of(spec.folder())),
        growth(before, after, Resources::heapBytes),
        growth(before, after, Resources::nativeBytes),
        (int) growth(before, after, Resources::threads),
        (int) growth(before, after, Resources::descriptors));
  }

  private static long growth(
      List<Resources> before, List<Resources> after, ToLongFunction<Resources> amount) {
    long most = Long.MIN_VALUE;
    for (int i = 0; i < before.size(); i++) {
      most = Math.max(most, amount.applyAsLong(after.get(i)) - amount.applyAsLong(before.get(i)));
    }
    return most;
  }

  @Override
  public void close() {
    crew.close();
  }
}
