package org.ringwire.tools.bench.scale;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.tools.bench.measure.Machine;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.console.RunFailedException;
import org.ringwire.tools.process.ChildCommand;
import org.ringwire.tools.process.ChildProcess;
import org.ringwire.tools.process.StartLines;

/** One round: a node, the peer that it is busy with, and farms, each in a process of its own. */
final class ScaleRun implements AutoCloseable {

  /** Peers of a farm, which takes two file descriptors for each. */
  static final int FARMED = 4500;

  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int SLICES = 5;

  private final ScaleSpec spec;
  private final int round;
  private final double seconds;
  private final Consumer<String> progress;
  private final List<ChildProcess> children = new ArrayList<>();
  private final ChildProcess node;

  /** Starts the processes for so many peers. */
  ScaleRun(
      ScaleSpec spec,
      int peers,
      int round,
      double seconds,
      String heap,
      Consumer<String> progress) {
    this.spec = spec;
    this.round = round;
    this.seconds = seconds;
    this.progress = progress;
    try {
      String address = start("node", ScaleChild.NODE, spec, "-Xmx" + heap);
      node = children.getFirst();
      ScaleSpec peerSpec = spec.withNodeAddress(address);
      know(
          ScaleSpec.BUSY,
          ScaleSpec.BUSY,
          start("busy peer", ScaleChild.BUSY, peerSpec, "-Xmx512m"));
      for (int made = 1; made < peers; made += FARMED) {
        int first = ScaleSpec.BUSY + made;
        int last = Math.min(first + FARMED, ScaleSpec.BUSY + peers) - 1;
        know(first, last, start("farm " + first, ScaleChild.FARM, peerSpec, "-Xmx512m"));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Returns the address of the child. */
  private String start(String name, String role, ScaleSpec told, String heap) {
    ChildCommand command =
        new ChildCommand(
            name,
            ScaleChild.class,
            List.of(
                "-XX:+UseParallelGC",
                heap,
                "--illegal-native-access=deny",
                "--sun-misc-unsafe-memory-access=deny"),
            List.of(role, JsonLine.of(told)));
    StartLines lines = new StartLines(line -> progress.accept(name + ": " + line));
    ChildProcess child = ChildProcess.start(command, lines);
    children.add(child);
    return lines.awaitReady(child, START);
  }

  private void know(int first, int last, String address) {
    ask(ScaleChild.KNOW + " " + first + " " + last + " " + address);
  }

  private String ask(String line) {
    node.send(line);
    return node.awaitLine(PATIENCE);
  }

  /** Runs the busy connection until its code is compiled. */
  void warmUp(double warmUpSeconds) {
    progress.accept("warming up for " + warmUpSeconds + " s");
    ask(ScaleChild.CONNECT + " 1");
    ask(ScaleChild.COST + " " + warmUpSeconds);
  }

  /** Measures with so many peers, more than at the point before. */
  ScalePoint measure(int peers, @Nullable ScalePoint first) {
    progress.accept("connecting to " + peers + " peers");
    Connected connected = JsonLine.read(ask(ScaleChild.CONNECT + " " + peers), Connected.class);
    requirePeers(connected, peers);
    progress.accept("waiting until idle connections have given back what they hold");
    Footprint footprint = JsonLine.read(ask(ScaleChild.FOOTPRINT), Footprint.class);
    double idlePercent = Double.parseDouble(ask(ScaleChild.IDLE + " " + seconds));
    progress.accept("measuring the busy connection");
    List<Cost> costs = new ArrayList<>();
    for (int i = 0; i < SLICES; i++) {
      costs.add(JsonLine.read(ask(ScaleChild.COST + " " + seconds / SLICES), Cost.class));
    }
    double wall = median(costs, cost -> (double) cost.wallNanos() / cost.messages());
    double cpu =
        median(
            costs,
            cost -> (cost.cpuNanos() - idlePercent / 100 * cost.wallNanos()) / cost.messages());
    double rtt = median(costs, Cost::rttMicros);
    ScalePoint point = point(connected, footprint, idlePercent, wall, cpu, rtt, first);
    progress.accept("peers " + peers + ": " + footprint.residentBytes() / (1 << 20) + " MiB");
    return point;
  }

  static void requirePeers(Connected connected, int peers) {
    if (connected.peers() != peers) {
      throw new RunFailedException(
          "the node has " + connected.peers() + " connections instead of " + peers);
    }
  }

  private ScalePoint point(
      Connected connected,
      Footprint footprint,
      double idlePercent,
      double wall,
      double cpu,
      double rtt,
      @Nullable ScalePoint first) {
    return new ScalePoint(
        "scale",
        "ringwire",
        "tcp",
        round,
        connected.peers(),
        2 * connected.peers(),
        connected.seconds(),
        footprint.residentBytes(),
        footprint.peakResidentBytes(),
        footprint.nativeBytes(),
        footprint.heapBytes(),
        footprint.heapMaxBytes(),
        footprint.descriptors(),
        footprint.threads(),
        spec.keepAliveMs() / 1e3,
        idlePercent,
        wall,
        cpu,
        rtt,
        first == null ? 1 : wall / first.nanosPerMessage(),
        first == null ? 1 : cpu / first.cpuNanosPerMessage(),
        first == null ? 1 : rtt / first.rttMicros(),
        Machine.java(),
        Machine.kernel(),
        Machine.cpus());
  }

  private static double median(List<Cost> costs, ToDoubleFunction<Cost> figure) {
    List<Double> sorted = new ArrayList<>(costs.stream().mapToDouble(figure).boxed().toList());
    sorted.sort(Comparator.naturalOrder());
    return sorted.get(sorted.size() / 2);
  }

  @Override
  public void close() {
    children.reversed().forEach(ChildProcess::close);
  }
}
