package org.ringwire.tools.soak;

import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigInteger;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.console.Problem;
import org.ringwire.tools.console.Text;
import org.ringwire.tools.console.Version;
import org.ringwire.tools.options.Range;
import org.ringwire.tools.process.Leftovers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Nodes that send to each other for a long time, and a ledger of every message. */
@Command(
    name = "soak",
    description = {
      "Nodes, each a process, send to each other for a long time; a ledger in files says of every"
          + " message whether it was handled, reported lost or reported uncertain.",
      "Status 1 if a message was lost silently, repeated or reordered, or if memory, threads or open"
          + " files have grown. See docs/soak.md."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    showDefaultValues = true)
public final class SoakCommand implements Callable<Integer> {

  private static final int MAX_NODES = 32;
  private static final int MAX_THREADS = 64;
  private static final int MAX_RATE = 100_000;
  private static final double MAX_MINUTES = 7 * 24 * 60;
  private static final double REST_SECONDS = 300;

  @Option(names = "--minutes", paramLabel = "M", description = "How long, fractions allowed")
  private double minutes = 10;

  @Option(names = "--nodes", paramLabel = "N", description = "Number of nodes, 2 to " + MAX_NODES)
  private int nodes = 4;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads of each node that send one way; one more sends requests")
  private int threads = 4;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Messages per second that each thread sends, about")
  private int rate = 3000;

  @Option(
      names = "--chaos",
      description =
          "Kill, restart and stop nodes at random, node 1 is never ended; and let each keep one"
              + " connection less than there are other nodes, so that they are dismissed all the time")
  private boolean chaos;

  @Option(names = "--seed", paramLabel = "N", description = "Of all that is random; default: any")
  private @Nullable Long seed;

  @Option(
      names = "--corrupt",
      paramLabel = "loss|duplicate|reorder",
      showDefaultValue = Visibility.NEVER,
      description =
          "A sender loses, repeats or swaps a message near the end, to show that the ledger notices:"
              + " status 1")
  private Corruption corrupt = Corruption.NONE;

  @Option(
      names = "--keep",
      paramLabel = "FOLDER",
      description = "Where the files of the ledger stay; must not exist. Default: they are removed")
  private @Nullable Path keep;

  @Option(names = "--json", description = "Print the result as one line of JSON")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException, IOException {
    check();
    PrintWriter err = spec.commandLine().getErr();
    Consumer<String> progress =
        line -> {
          err.println(line);
          err.flush();
        };
    Path kept = keep;
    Path folder = kept == null ? Leftovers.folder("ringwire-soak-") : newFolder(kept);
    try (SoakRun run = new SoakRun(plan(folder), minutes, chaos, corrupt, progress)) {
      return report(run.run(), progress);
    } finally {
      if (kept == null) {
        Leftovers.delete(folder);
      }
    }
  }

  private static Path newFolder(Path kept) {
    try {
      return Files.createDirectory(kept);
    } catch (FileAlreadyExistsException e) {
      throw new CommandException("--keep: " + kept + " exists; name a folder that does not", e);
    } catch (NoSuchFileException e) {
      throw new CommandException("--keep: there is no folder for " + kept + " to be made in", e);
    } catch (IOException e) {
      throw new CommandException("--keep: cannot make a folder: " + Problem.describe(e), e);
    }
  }

  private void check() {
    Range.check("--minutes", minutes, 0.05, MAX_MINUTES);
    Range.check("--nodes", nodes, 2, MAX_NODES);
    Range.check("--threads", threads, 1, MAX_THREADS);
    Range.check("--rate", rate, 1, MAX_RATE);
  }

  private SoakSpec plan(Path folder) {
    SecureRandom random = new SecureRandom();
    Long given = seed;
    long chosen = given == null ? random.nextInt(Integer.MAX_VALUE) : given;
    long capacity = capacity(minutes, rate);
    String secret = new BigInteger(256, random).setBit(256).toString(16);
    return new SoakSpec(
        0,
        0,
        nodes,
        threads,
        maxConnections(),
        rate,
        capacity,
        chosen,
        folder.toString(),
        "",
        secret);
  }

  /** For the rests as well, which come on top of what was asked for. */
  static long capacity(double minutes, int rate) {
    return Math.round((minutes * 60 + REST_SECONDS) * SoakSpec.mostPerSecond(rate));
  }

  private int maxConnections() {
    int others = nodes - 1;
    return chaos && others > 1 ? others - 1 : others;
  }

  private int report(SoakResult result, Consumer<String> progress) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(JsonLine.of(result));
    } else {
      forPeople(result).forEach(out::println);
    }
    out.flush();
    if (!result.addsUp()) {
      progress.accept("not verified: the ledger does not add up; seed " + result.seed());
    }
    if (result.grows()) {
      progress.accept("not verified: something has grown: " + growth(result));
    }
    return result.addsUp() && !result.grows() ? ExitStatus.GOOD : ExitStatus.NOT_VERIFIED;
  }

  static List<String> forPeople(SoakResult result) {
    return List.of(
        line(result.accepted(), "messages accepted by nodes that ended in good order"),
        line(result.delivered(), "of them handled"),
        line(result.reportedLost(), "reported lost"),
        line(result.uncertain(), "reported uncertain, requests included, handled or not"),
        line(result.acceptedByKilled(), "more accepted by nodes that were killed"),
        line(result.duplicated(), "handled twice"),
        line(result.unaccounted(), "neither handled nor reported"),
        line(result.outOfOrder(), "out of order"),
        line(result.miscounted(), "miscounted in reports"),
        line(result.damaged(), "damaged"),
        line(result.timedOutRequests(), "requests not answered in time"),
        line(result.wrongRequests(), "requests answered wrong, too late, or not, for no reason"),
        Text.format(
            "%d kills, %d restarts, %d stalls, %,d dismissals, seed %d",
            result.kills(), result.restarts(), result.stalls(), result.dismissals(), result.seed()),
        "growth: " + growth(result));
  }

  private static String growth(SoakResult result) {
    return Text.format(
        "heap %,d B, native memory %,d B, threads %d, open files %d",
        result.heapGrowthBytes(),
        result.nativeGrowthBytes(),
        result.threadGrowth(),
        result.fdGrowth());
  }

  private static String line(long count, String what) {
    return Text.format("%,15d %s", count, what);
  }
}
