package org.ringwire.tools.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Does to nodes what happens to machines: kills them, restarts them, makes them stand still. What
 * and when follows from a seed, as far as a machine with other work repeats itself. Node 1 is never
 * ended, so that somebody lives through everything.
 */
final class Chaos {

  private static final long MS = 1_000_000;
  private static final long LOOK_MS = 100;

  private final Crew crew;
  private final SplittableRandom random;
  private final int nodes;
  private final Consumer<String> progress;
  private final PriorityQueue<Due> due = new PriorityQueue<>();
  private long nextNs = System.nanoTime();
  private boolean calming;
  private int kills;
  private int restarts;
  private int stalls;

  private record Due(long atNs, Runnable action) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return Long.signum(atNs - other.atNs);
    }
  }

  Chaos(Crew crew, int nodes, long seed, Consumer<String> progress) {
    this.crew = crew;
    this.nodes = nodes;
    random = new SplittableRandom(seed);
    this.progress = progress;
  }

  /** Does what is due by now. */
  void step() {
    long nowNs = System.nanoTime();
    Due first = due.peek();
    while (first != null && first.atNs() - nowNs <= 0) {
      due.remove();
      first.action().run();
      first = due.peek();
    }
    if (nextNs - nowNs <= 0) {
      strike();
      nextNs = System.nanoTime() + random.nextLong(300, 2500) * MS;
    }
  }

  /** Undoes what can be undone: from then on all nodes are there. */
  void calm() {
    calming = true;
    for (int id = 1; id <= nodes; id++) {
      crew.resume(id); // first, for nodes that close may wait for these
    }
    while (!due.isEmpty()) {
      due.remove().action().run();
    }
    calming = false;
  }

  int kills() {
    return kills;
  }

  int restarts() {
    return restarts;
  }

  int stalls() {
    return stalls;
  }

  private void strike() {
    List<Integer> present = new ArrayList<>();
    for (int id = 1; id <= nodes; id++) {
      if (crew.isWell(id)) {
        present.add(id);
      }
    }
    if (present.size() < 2) {
      return;
    }
    int id = present.get(random.nextInt(present.size()));
    int kind = random.nextInt(10);
    if (id == 1 || kind < 4) {
      stall(id);
    } else if (kind < 8) {
      progress.accept("killing node " + id);
      crew.kill(id);
      kills++;
      bringBack(id);
    } else {
      progress.accept("restarting node " + id);
      crew.beginEnd(id);
      restarts++;
      bringBackWhenEnded(id);
    }
  }

  private void stall(int id) {
    long ms = random.nextInt(4) == 0 ? random.nextLong(2000, 6000) : random.nextLong(50, 1500);
    progress.accept("stopping node " + id + " for " + ms + " ms");
    crew.stall(id);
    stalls++;
    due.add(new Due(System.nanoTime() + ms * MS, () -> crew.resume(id)));
  }

  /** Nobody waits for a node that closes: meanwhile others may be disturbed. */
  private void bringBackWhenEnded(int id) {
    if (crew.hasEnded(id) || calming) {
      crew.awaitEnd(id);
      bringBack(id);
    } else {
      due.add(new Due(System.nanoTime() + LOOK_MS * MS, () -> bringBackWhenEnded(id)));
    }
  }

  private void bringBack(int id) {
    long ms = random.nextLong(0, 1500);
    due.add(
        new Due(
            System.nanoTime() + ms * MS,
            () -> {
              crew.start(id);
              crew.run(id);
            }));
  }
}
