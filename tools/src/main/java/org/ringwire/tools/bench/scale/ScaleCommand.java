package org.ringwire.tools.bench.scale;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.console.RunFailedException;
import org.ringwire.tools.console.Text;
import org.ringwire.tools.console.Version;
import org.ringwire.tools.options.Range;
import org.ringwire.tools.process.ChildFailedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a node with many peers costs. */
@Command(
    name = "scale",
    description = {
      "What a node with many peers costs: memory, idle processor time, and the cost of a message on"
          + " one busy connection while all others are idle.",
      "Every connection was busy once, in both directions. The peers live in further processes.",
      "Status 1: more memory than promised (1 GiB resident, heap included, and the heap's limit),"
          + " connections that have ended, or a process that has died."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false)
public final class ScaleCommand implements Callable<Integer> {

  private static final int MOST_PEERS = 65_000;
  private static final long PROMISED_BYTES = 1L << 30;

  /** Less was not meant; how much is too much depends on the machine, and the JVM says it. */
  private static final long LEAST_HEAP = 1L << 24;

  /** Of a process, beside its connections: the JVM's own, selectors, and a reserve. */
  private static final int OTHER_DESCRIPTORS = 100;

  @Spec private @Nullable CommandSpec command;

  @Option(
      names = "--peers",
      paramLabel = "N",
      split = ",",
      description = "numbers of peers, growing; default: ${DEFAULT-VALUE}",
      defaultValue = "1,10,100,1000,9000")
  private List<Integer> peers = List.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "how often to run the whole curve, with new processes; default: ${DEFAULT-VALUE}",
      defaultValue = "1")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "seconds to observe at each point, busy and idle; default: ${DEFAULT-VALUE}",
      defaultValue = "5")
  private double seconds;

  @Option(
      names = "--warmup",
      paramLabel = "S",
      description = "seconds to run before; default: ${DEFAULT-VALUE}",
      defaultValue = "15")
  private double warmup;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "-Xmx of the node; default: ${DEFAULT-VALUE}",
      defaultValue = "256m")
  private String heap = "256m";

  @Option(
      names = "--keep-alive",
      paramLabel = "S",
      description = "seconds in which dead peers are found; default: ${DEFAULT-VALUE}",
      defaultValue = "3")
  private double keepAlive;

  @Option(
      names = "--idle-time",
      paramLabel = "S",
      description =
          "seconds after which an idle connection gives its ring back; default: ${DEFAULT-VALUE}",
      defaultValue = "10")
  private double idleTime;

  @Option(names = "--json", description = "print a line of JSON per point on standard output")
  private boolean json;

  /** For picocli. */
  public ScaleCommand() {}

  @Override
  public Integer call() {
    check();
    var commandLine = Objects.requireNonNull(command).commandLine();
    PrintWriter err = commandLine.getErr();
    PrintWriter out = commandLine.getOut();
    Consumer<String> progress =
        line -> {
          err.println(line);
          err.flush();
        };
    ScaleSpec spec = new ScaleSpec(Math.round(keepAlive * 1e3), Math.round(idleTime * 1e3), "");
    List<ScalePoint> points = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      try (ScaleRun run = new ScaleRun(spec, peers.getLast(), round, seconds, heap, progress)) {
        measure(run, points, out);
      }
    }
    if (!json) {
      out.println(ScaleTable.of(points));
      out.flush();
    }
    return points.stream().allMatch(ScaleCommand::isAsPromised)
        ? ExitStatus.GOOD
        : ExitStatus.NOT_VERIFIED;
  }

  /** A process that dies meanwhile is no reason to take it for one that cannot run here. */
  private void measure(ScaleRun run, List<ScalePoint> points, PrintWriter out) {
    try {
      run.warmUp(warmup);
      ScalePoint first = null;
      for (int count : peers) {
        ScalePoint point = run.measure(count, first);
        first = first == null ? point : first;
        points.add(point);
        if (json) {
          out.println(JsonLine.of(point));
          out.flush();
        }
      }
    } catch (ChildFailedException e) {
      throw new RunFailedException(e);
    }
  }

  private static boolean isAsPromised(ScalePoint point) {
    return point.residentBytes() <= PROMISED_BYTES && point.nativeBytes() <= PROMISED_BYTES;
  }

  private void check() {
    for (int i = 0; i < peers.size(); i++) {
      if (peers.get(i) < 1
          || peers.get(i) > MOST_PEERS
          || (i > 0 && peers.get(i) <= peers.get(i - 1))) {
        throw new CommandException(
            "--peers must be numbers from 1 to " + MOST_PEERS + " that grow: " + peers);
      }
    }
    if (!heap.matches("[1-9]\\d{0,8}[kKmMgG]") || heapBytes() < LEAST_HEAP) {
      throw new CommandException(
          "--heap takes a size like 256m, 16m or more, not " + Text.shown(heap));
    }
    Range.check("--rounds", rounds, 1, 1000);
    Range.check("--seconds", seconds, 0.1, 3600);
    Range.check("--warmup", warmup, 0.1, 3600);
    Range.check("--keep-alive", keepAlive, 0.05, 86_400);
    Range.check("--idle-time", idleTime, 0.01, 86_400);
    checkDescriptors(peers.getLast());
  }

  private long heapBytes() {
    int end = heap.length() - 1;
    long number = Long.parseLong(heap.substring(0, end));
    return switch (heap.charAt(end)) {
      case 'g', 'G' -> number << 30;
      case 'm', 'M' -> number << 20;
      default -> number << 10;
    };
  }

  /** The node has two channels per peer; the child processes have the limit of this one. */
  private static void checkDescriptors(int count) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      checkDescriptors(count, system.getMaxFileDescriptorCount());
    }
  }

  static void checkDescriptors(int count, long limit) {
    long needed = 2L * count + OTHER_DESCRIPTORS;
    if (needed > limit) {
      throw new CommandException(
          count
              + " peers take "
              + needed
              + " file descriptors in the node's process, and this one may have "
              + limit
              + ": raise it with ulimit -n "
              + needed
              + " (above the hard limit, as root), or ask for --peers up to "
              + (limit - OTHER_DESCRIPTORS) / 2);
    }
  }
}
