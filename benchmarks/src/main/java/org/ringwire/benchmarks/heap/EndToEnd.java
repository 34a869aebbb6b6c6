package org.ringwire.benchmarks.heap;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.benchmarks.Progress;
import org.ringwire.benchmarks.runs.Numbers;
import org.ringwire.heap.ChannelOptions;
import org.ringwire.heap.HeapChannel;
import org.ringwire.heap.HeapChannels;
import org.ringwire.tools.bench.measure.Machine;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Measures how long a graph takes from one process to another over TCP on this machine, from before
 * it is encoded until the other side has said that it was decoded. Graphs go through a heap
 * channel, in blocks; or as one message of the same node, made by a serializer. Rounds of all in
 * turn, of which the median counts.
 */
@Command(
    name = "ringwire bench heap",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Microseconds from one process to another over TCP, encoding and decoding.")
public final class EndToEnd implements Callable<Integer> {
  private static final String CHANNEL = "ringwire";
  private static final String WHOLE = "ringwire-whole";
  private static final List<String> WAYS =
      List.of(CHANNEL, WHOLE, "kryo", "kryo-unsafe", "fory", "java");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long WARM_UP_NS = 1_500_000_000;
  private static final int WARM_UP_TRIPS = 2;

  @Option(names = "--shape", paramLabel = "SHAPE", defaultValue = "pairs", description = "as above")
  private String shape = "";

  @Option(
      names = "--elements",
      paramLabel = "N",
      defaultValue = "1048576",
      description = "elements of the array or collection; default: 1048576")
  private int elements;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "11",
      description = "rounds of all ways in turn, whose median counts; default: 11")
  private int rounds;

  @Option(
      names = "--block",
      paramLabel = "BYTES",
      description = "how long the blocks of a channel are")
  private @Nullable Integer block;

  @Option(names = "--json", description = "print one line of JSON per serializer, nothing else")
  private boolean json;

  @Spec private @Nullable CommandSpec command;

  private EndToEnd() {}

  /**
   * Runs the comparison and prints it. Exit status: 0, or 2 for a command line that is wrong.
   *
   * @param words the command line
   */
  public static void main(String[] words) {
    HeapProgram.run(new EndToEnd(), words);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine line = Objects.requireNonNull(command).commandLine();
    Checks.shape(line, shape);
    Checks.range(line, "--elements", elements, Checks.MAX_ELEMENTS);
    Checks.range(line, "--rounds", rounds, Checks.MAX_ROUNDS);
    ChannelOptions options = ChannelOptions.DEFAULT.withTimeout(PATIENCE);
    if (block != null) {
      options = options.withBlockBytes(block);
    }
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node node = EndToEndPeer.open(EndToEndPeer.SENDER, directory);
        HeapChannels channels = HeapChannels.of(node, EndToEndPeer.codec(), options)) {
      HeapChannel channel = channels.to(EndToEndPeer.RECEIVER);
      Process receiver = startReceiver(String.valueOf(node.address()));
      try {
        directory.put(EndToEndPeer.RECEIVER, String.valueOf(channel.readObject()));
        compare(node, channel, line);
      } finally {
        OwnJvm.end(receiver);
      }
    }
    return 0;
  }

  private Process startReceiver(String address) throws IOException {
    return OwnJvm.start(EndToEndPeer.class, List.of(address, shape, String.valueOf(elements)));
  }

  /** One way, and its figures so far. */
  private final class Way {
    private final String name;
    private final Node node;
    private final HeapChannel channel;
    private final Object graph;
    private final @Nullable Serializer serializer;
    private final double[] micros = new double[rounds];

    Way(String name, Node node, HeapChannel channel, Object graph) {
      this.name = name;
      this.node = node;
      this.channel = channel;
      this.graph = graph;
      this.serializer =
          name.equals(CHANNEL)
              ? null
              : Serializers.of(EndToEndPeer.serializerOf(name), shape, elements, false);
    }

    long trip() {
      long startNs = System.nanoTime();
      if (serializer == null) {
        channel.writeObject(graph);
        if (!Integer.valueOf(elements).equals(channel.readObject())) {
          throw new IllegalStateException("another graph has arrived");
        }
      } else {
        serializer.encode(graph);
        EndToEndPeer.Image image = new EndToEndPeer.Image(name, serializer.image());
        node.request(EndToEndPeer.RECEIVER, image, EndToEndPeer.Decoded.class, PATIENCE);
      }
      return System.nanoTime() - startNs;
    }

    void warmUp() {
      long spentNs = 0;
      for (int i = 0; i < WARM_UP_TRIPS || spentNs < WARM_UP_NS * Math.min(1, rounds / 5); i++) {
        spentNs += trip();
      }
    }

    String row() {
      double median = Numbers.median(micros);
      if (!json) {
        return String.format(Locale.ROOT, "%-14s %12.1f", name, median);
      }
      return String.format(
          Locale.ROOT,
          "{\"benchmark\":\"heap-end-to-end\",\"shape\":\"%s\",\"elements\":%d,\"serializer\":\"%s\","
              + "\"micros\":%.1f,\"java\":\"%s\",\"kernel\":\"%s\",\"cpus\":%d}",
          shape,
          elements,
          name,
          median,
          Runtime.version(),
          Machine.kernel(),
          Runtime.getRuntime().availableProcessors());
    }
  }

  private void compare(Node node, HeapChannel channel, CommandLine line) {
    Object graph = Graph.of(shape, elements);
    Progress progress = new Progress(line.getErr());
    List<Way> ways = new ArrayList<>();
    for (String name : WAYS) {
      progress.say("warming up " + name);
      Way way = new Way(name, node, channel, graph);
      way.warmUp();
      ways.add(way);
    }
    for (int round = 0; round < rounds; round++) {
      progress.round(round, rounds);
      for (Way way : ways) {
        way.micros[round] = way.trip() / 1e3;
      }
    }
    if (!json) {
      line.getOut().printf("%-14s %12s%n", "us", "there");
    }
    ways.forEach(way -> line.getOut().println(way.row()));
    line.getOut().flush();
  }
}
