package org.ringwire.benchmarks.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.Settings.Kind;
import org.ringwire.benchmarks.reference.Settings.Mode;
import org.ringwire.benchmarks.reference.Settings.PeerSystem;
import org.ringwire.benchmarks.reference.Settings.Pin;
import org.ringwire.benchmarks.reference.Settings.UsageException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs one of the programs that Ringwire is compared with; see {@code benchmarks/README.md}.
 *
 * <p>Exit status: 0 good, 1 the check of the messages failed or a process died, 2 usage or
 * environment.
 */
@Command(
    name = "reference",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures one of the programs that Ringwire is compared with.")
public final class ReferenceMain implements Callable<Integer> {
  @Option(names = "--system", required = true, description = "one of what \"list\" shows")
  private PeerSystem system = PeerSystem.REFERENCE;

  @Option(names = "--benchmark", required = true, description = "stream, pingpong or requests")
  private Kind kind = Kind.STREAM;

  @Option(names = "--payload", defaultValue = "64", description = "bytes of the byte[]")
  private int payload;

  @Option(names = "--threads", defaultValue = "1", description = "sending threads")
  private int threads;

  @Option(names = "--mode", description = "park (default; minimal-nio spins) or spin")
  private @Nullable Mode mode;

  @Option(
      names = "--pin",
      defaultValue = "none",
      description = "none (default), one core for both processes, or two")
  private Pin pin = Pin.NONE;

  @Option(names = "--duration", defaultValue = "5", description = "measured seconds")
  private double duration;

  @Option(names = "--warmup", defaultValue = "3", description = "seconds before that")
  private double warmup;

  @Option(
      names = "--write-size",
      defaultValue = "131072",
      description = "c, stream: bytes per write (default 131072)")
  private int writeSize;

  @Option(names = "--json", description = "print one line of JSON")
  private boolean json;

  /** Set by programs that start this one and keep its standard input open while they live. */
  @Option(names = "--child", hidden = true)
  private boolean child;

  @Option(names = "--role", hidden = true)
  private @Nullable String role;

  @Option(names = "--port", hidden = true)
  private int port;

  @Option(names = "--cpus", hidden = true)
  private int cpus = Runtime.getRuntime().availableProcessors();

  private List<String> words = List.of();

  private ReferenceMain() {}

  /**
   * Parses the words, runs, prints, exits.
   *
   * @param words the command line
   */
  public static void main(String[] words) {
    System.exit(run(words));
  }

  private static int run(String[] words) {
    if (words.length == 1 && words[0].equals("list")) {
      for (PeerSystem each : PeerSystem.values()) {
        System.out.printf("%-15s %s%n", each.label(), each.description());
      }
      return 0;
    }
    ReferenceMain main = new ReferenceMain();
    main.words = List.of(words);
    CommandLine line = new CommandLine(main).setCaseInsensitiveEnumValuesAllowed(true);
    line.registerConverter(PeerSystem.class, ReferenceMain::systemOf);
    line.setParameterExceptionHandler((e, _) -> {
      System.err.println("reference: " + e.getMessage());
      return 2;
    });
    line.setExecutionExceptionHandler((e, _, _) -> {
      if (e instanceof UsageException) {
        System.err.println("reference: " + e.getMessage());
        return 2;
      }
      e.printStackTrace();
      return 1;
    });
    return line.execute(words);
  }

  private static PeerSystem systemOf(String label) {
    for (PeerSystem candidate : PeerSystem.values()) {
      if (candidate.label().equals(label)) {
        return candidate;
      }
    }
    throw new CommandLine.TypeConversionException(
        "'%s' is none of %s".formatted(label, PeerSystem.labels()));
  }

  @Override
  public Integer call() throws Exception {
    Mode chosen = mode == null ? defaultMode() : mode;
    Settings settings = new Settings(system, kind, payload, threads, chosen, pin, duration, warmup);
    if (child || role != null) {
      ProcessPair.endWithParent();
    }
    if ("receiver".equals(role)) {
      receive(settings);
      return 0;
    }
    if ("sender".equals(role)) {
      return print(send(settings), true);
    }
    if (system == PeerSystem.C) {
      return print(CProgram.run(settings, writeSize, cpus), json);
    }
    List<String> forChildren = new ArrayList<>(words);
    forChildren.addAll(List.of("--cpus", Integer.toString(cpus)));
    Result result = Result.fromJson(ProcessPair.run(settings, forChildren));
    return print(result, json);
  }

  private Mode defaultMode() {
    return system == PeerSystem.MINIMAL_NIO ? Mode.SPIN : Mode.PARK;
  }

  private static void receive(Settings settings) throws Exception {
    IntConsumer portReady =
        listening -> {
          System.out.println(ProcessPair.PORT_LINE + listening);
          System.out.flush();
        };
    if (settings.system().isNetty()) {
      NettyProgram.receive(settings, portReady);
    } else {
      PlainProgram.receive(settings, portReady);
    }
  }

  private Result send(Settings settings) throws Exception {
    return settings.system().isNetty()
        ? NettyProgram.send(settings, port, cpus)
        : PlainProgram.send(settings, port, cpus);
  }

  private int print(Result result, boolean asJson) {
    System.out.println(asJson ? result.toJson() : result.toText());
    // The sender leaves the verdict to the process that started it.
    return result.isVerified() || role != null ? 0 : 1;
  }
}
