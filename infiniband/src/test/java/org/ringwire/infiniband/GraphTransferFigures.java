package org.ringwire.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ringwire.heap.HeapChannel;
import org.ringwire.infiniband.GraphNodes.Pair;

/**
 * What a graph takes from one node to another over {@code ib}, with blocks as messages and with
 * blocks that are written into memory of the receiver, round by round in turn: from the beginning
 * of the write until it was read. Not a test of every build: {@code ./mvnw verify -pl infiniband
 * -am -Dringwire.rdma=org.ringwire.infiniband.GraphTransferFigures}. The machine is emulated: only
 * the ratio of the two means something.
 */
@Tag("figures")
class GraphTransferFigures {

  private static final int ROUNDS = 9;
  private static final int MOST_PAIRS = 1 << 16;

  /** Both ends of a way, with a thread that reads. */
  private static final class Way {
    private final HeapChannel from;
    private final SynchronousQueue<Object> read = new SynchronousQueue<>();

    Way(GraphNodes nodes, int first, boolean carries) {
      from = nodes.channels(first, GraphNodes.options(), carries).to(first + 1);
      HeapChannel to = nodes.channels(first + 1, GraphNodes.options(), carries).to(first);
      Thread _ =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                try {
                  while (true) {
                    read.put(to.readObject());
                  }
                } catch (InterruptedException | RuntimeException e) {
                  // the end
                }
              });
    }

    double micros(Object graph, int count) throws InterruptedException {
      long startNs = System.nanoTime();
      for (int i = 0; i < count; i++) {
        from.writeObject(graph);
        assertThat(read.poll(100, TimeUnit.SECONDS)).isNotNull();
      }
      return (System.nanoTime() - startNs) / 1000.0 / count;
    }
  }

  @Test
  @Timeout(value = 50, unit = TimeUnit.MINUTES)
  void compare() throws Exception {
    try (GraphNodes nodes = new GraphNodes()) {
      Way messages = new Way(nodes, 1, false);
      Way writes = new Way(nodes, 3, true);
      System.out.println("graph count messageMicros spread writeMicros spread ratio spread");
      for (int length = 1 << 10; length <= MOST_PAIRS; length *= 8) {
        measure(
            "Pair[" + length + "]", Pair.array(length), MOST_PAIRS / 4, length, messages, writes);
      }
      measure("float[65536]", new float[1 << 16], 4, 1, messages, writes);
      measure("int[1]", new int[1], 50, 1, messages, writes);
    }
  }

  private static void measure(
      String name, Object graph, int perRound, int length, Way message, Way write)
      throws InterruptedException {
    int count = Math.max(1, perRound / length);
    double[] messages = new double[ROUNDS];
    double[] writes = new double[ROUNDS];
    double[] ratios = new double[ROUNDS];
    double _ = message.micros(graph, count) + write.micros(graph, count);
    for (int round = 0; round < ROUNDS; round++) {
      boolean first = round % 2 == 0;
      double one = (first ? message : write).micros(graph, count);
      double other = (first ? write : message).micros(graph, count);
      messages[round] = first ? one : other;
      writes[round] = first ? other : one;
      ratios[round] = messages[round] / writes[round];
    }
    System.out.println(
        name
            + " "
            + count
            + " "
            + describe(messages, "%.0f")
            + " "
            + describe(writes, "%.0f")
            + " "
            + describe(ratios, "%.2f"));
  }

  /** The median, and the smallest and largest. */
  private static String describe(double[] values, String format) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return String.format(
        Locale.ROOT,
        format + " (" + format + ".." + format + ")",
        sorted[sorted.length / 2],
        sorted[0],
        sorted[sorted.length - 1]);
  }
}
