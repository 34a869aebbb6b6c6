package org.ringwire.benchmarks.reference;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.WrongWord;
import org.ringwire.benchmarks.reference.harness.Contender;
import org.ringwire.benchmarks.reference.harness.Contender.Launch;
import org.ringwire.benchmarks.reference.harness.JavaContender;
import org.ringwire.benchmarks.reference.harness.JavaContender.Place;
import org.ringwire.benchmarks.reference.harness.ProcessPair;
import org.ringwire.benchmarks.reference.harness.Result;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.Settings.Kind;
import org.ringwire.benchmarks.reference.harness.Settings.Mode;
import org.ringwire.benchmarks.reference.harness.Settings.Pin;
import org.ringwire.tools.ErrorLine;
import org.ringwire.tools.Main;
import org.ringwire.tools.OptionValues;
import org.ringwire.tools.bench.measure.WarmUp;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.Output;
import org.ringwire.tools.options.Range;
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
    name = ReferenceMain.NAME,
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures one of the programs that Ringwire is compared with.")
public final class ReferenceMain implements Callable<Integer> {
  static final String NAME = "ringwire bench reference";

  /**
   * What C streams fastest with, measured from 16 KiB to 1 MiB; see docs/experiments/send-path.md.
   */
  private static final int WRITE_SIZE = 524_288;

  private static final int MAX_WRITE_SIZE = 1 << 26;

  @Option(
      names = "--system",
      required = true,
      description = "see `./ringwire bench reference list`")
  private PeerSystem system = PeerSystem.all().getFirst();

  @Option(names = "--benchmark", required = true, description = "stream, pingpong or requests")
  private Kind kind = Kind.STREAM;

  @Option(names = "--payload", defaultValue = "64", description = "bytes of the byte[]")
  private int payload;

  @Option(names = "--threads", defaultValue = "1", description = "sending threads")
  private int threads;

  @Option(
      names = "--mode",
      description = "park or spin; default: what suits the system and the benchmark")
  private @Nullable Mode mode;

  @Option(
      names = "--pin",
      defaultValue = "none",
      description = "none (default), one core for both processes, or two")
  private Pin pin = Pin.NONE;

  @Option(names = "--duration", defaultValue = "5", description = "measured seconds")
  private double duration;

  @Option(
      names = "--warmup",
      defaultValue = "3",
      converter = WarmUp.Converter.class,
      description = "seconds before that, or from A..B until the compilers rest")
  private WarmUp warmup = WarmUp.of(3);

  @Option(
      names = "--pause",
      defaultValue = "0",
      description = "pingpong: seconds of silence before each round trip (default 0)")
  private double pause;

  @Option(
      names = "--messages-per-flush",
      defaultValue = "64",
      description = "stream: messages of a sender between two flushes (default 64)")
  private int messagesPerFlush;

  @Option(
      names = "--write-size",
      description = "programs in C over sockets, stream: bytes per write (default 524288)")
  private @Nullable Integer writeSize;

  @Option(names = "--json", description = "print one line of JSON")
  private boolean json;

  @Option(names = "--role", hidden = true)
  private @Nullable String role;

  @Option(names = "--address", hidden = true)
  private String address = "";

  @Option(names = "--folder", hidden = true)
  private @Nullable Path folder;

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
    Output.open();
    System.exit(Output.checked(NAME, run(words)));
  }

  private static int run(String[] words) {
    if (words.length > 0 && words[0].equals("list")) {
      return list(List.of(words).subList(1, words.length));
    }
    ReferenceMain main = new ReferenceMain();
    main.words = List.of(words);
    CommandLine line =
        OptionValues.checkedBy(new CommandLine(main))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setUsageHelpAutoWidth(true)
            .setExecutionExceptionHandler(new ErrorLine(ExitStatus.NOT_VERIFIED));
    line.registerConverter(PeerSystem.class, ReferenceMain::systemOf);
    line.setParameterExceptionHandler((e, _) -> {
      System.err.println(NAME + ": " + WrongWord.describe(e));
      return 2;
    });
    return Main.run(line, words);
  }

  private static int list(List<String> options) {
    if (!options.isEmpty() && !options.equals(List.of("--json"))) {
      System.err.println(NAME + ": list takes --json and nothing else");
      return 2;
    }
    for (PeerSystem each : PeerSystem.all()) {
      System.out.println(
          options.isEmpty()
              ? "%-22s %s".formatted(each.label(), each.description())
              : each.toJson());
    }
    return 0;
  }

  private static PeerSystem systemOf(String label) {
    return PeerSystem.find(label)
        .orElseThrow(() ->
            new CommandLine.TypeConversionException(
                "'%s' is none of %s".formatted(label, String.join(", ", PeerSystem.labels()))));
  }

  @Override
  public Integer call() throws Exception {
    Contender contender = system.factory().get();
    Mode chosen = mode == null ? contender.defaultMode(kind) : mode;
    Settings settings =
        new Settings(
            system.label(),
            kind,
            payload,
            threads,
            chosen,
            pin,
            duration,
            warmup,
            pause,
            messagesPerFlush);
    contender.requireSupported(settings);
    requireWriteSize(contender);
    if (role != null) {
      ProcessPair.endWithParent(folder);
    }
    if (role != null && folder != null && contender instanceof JavaContender java) {
      return runRole(java, settings, new Place(folder, cpus));
    }
    Result result =
        contender.run(
            settings, new Launch(words, cpus, writeSize == null ? WRITE_SIZE : writeSize));
    System.out.println(json ? result.toJson() : result.toText());
    if (!result.isVerified()) {
      System.err.printf(
          "%s: not verified: lost %s, duplicated %s, out of order %s%n",
          NAME, result.lost(), result.duplicated(), result.outOfOrder());
    }
    return result.isVerified() ? 0 : 1;
  }

  private void requireWriteSize(Contender contender) {
    if (writeSize != null) {
      Settings.require(
          contender.hasWriteSize(kind),
          "--write-size is for streams of programs in C over sockets; leave it out");
      Range.check("--write-size", writeSize, 1, MAX_WRITE_SIZE);
    }
  }

  /** One of the two processes; the verdict is left to the one that started it. */
  private int runRole(JavaContender contender, Settings settings, Place place) throws Exception {
    if ("receiver".equals(role)) {
      contender.receive(
          settings,
          place,
          listening -> {
            System.out.println(ProcessPair.ADDRESS_LINE + listening);
            System.out.flush();
          });
    } else {
      System.out.println(contender.send(settings, place, address).toJson());
    }
    return 0;
  }
}
