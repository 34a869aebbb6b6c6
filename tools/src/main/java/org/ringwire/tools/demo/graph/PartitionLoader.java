package org.ringwire.tools.demo.graph;

import java.util.concurrent.ExecutionException;
import java.util.function.IntConsumer;

/** Reads the class files of one worker's vertices, and no others. */
public final class PartitionLoader {

  private static final int SLICE = 256;

  private final JdkClasses classes;
  private final int threads;

  public PartitionLoader(JdkClasses classes, int threads) {
    this.classes = classes;
    this.threads = threads;
  }

  /** The whole graph, as one partition. */
  public Partition loadAll(IntConsumer progress) throws InterruptedException, ExecutionException {
    return load(new Spread(classes.count(), 1), 0, progress);
  }

  /**
   * The partition of one worker.
   *
   * @param progress is told how many class files were just read; called by several threads
   */
  public Partition load(Spread spread, int worker, IntConsumer progress)
      throws InterruptedException, ExecutionException {
    int[][] targets = new int[spread.count(worker)][];
    try (SlicedWork work = new SlicedWork("class-reader", threads)) {
      work.run(
          targets.length,
          SLICE,
          (from, to) -> {
            try (JdkClasses.Image image = classes.open()) {
              for (int place = from; place < to; place++) {
                byte[] classFile = image.read(spread.vertex(worker, place));
                targets[place] = ClassReferences.targets(classFile, classes::number);
              }
            }
            progress.accept(to - from);
          });
    }
    return Partition.of(spread, worker, targets);
  }
}
