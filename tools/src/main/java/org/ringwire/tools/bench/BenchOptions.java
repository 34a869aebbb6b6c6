package org.ringwire.tools.bench;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.ringwire.Dispatch;
import org.ringwire.tools.bench.measure.Pinning;
import org.ringwire.tools.bench.measure.WarmUp;
import org.ringwire.tools.bench.pair.BenchSpec;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.options.Range;
import org.ringwire.tools.options.TransportOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of pingpong and stream. */
final class BenchOptions {

  private static final int MAX_PAYLOAD = (1 << 30) - 64;
  private static final int MAX_THREADS = 1024;
  private static final int MAX_SECONDS = 86_400;

  @Mixin private TransportOption transport = new TransportOption();

  @Option(names = "--tls", description = "TLS over tcp, with certificates made for this run")
  private boolean tls;

  @Option(
      names = "--payload",
      paramLabel = "BYTES",
      description = "length of the byte array in each message; default: ${DEFAULT-VALUE}",
      defaultValue = "64")
  private int payload;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads that send; default: ${DEFAULT-VALUE}",
      defaultValue = "1")
  private int threads;

  @Option(
      names = "--handlers",
      paramLabel = "N",
      description =
          "threads of the receiver's handler pool, where that handles (--handler pooled);"
              + " default: 1")
  private @Nullable Integer handlers;

  @Option(
      names = "--drain",
      paramLabel = "adaptive|io",
      description =
          "who writes: the sending threads while that is quickest, or always the flusher thread;"
              + " default: adaptive",
      defaultValue = "adaptive")
  private BenchSpec.Drain drain = BenchSpec.Drain.ADAPTIVE;

  @Option(
      names = "--handler",
      paramLabel = "inline|pooled|blocking",
      description =
          "who handles: the thread that reads, the handler pool, or a virtual thread per message;"
              + " default: inline",
      defaultValue = "inline")
  private Dispatch.Mode handler = Dispatch.Mode.INLINE;

  @Option(names = "--ordered", description = "handle the messages of a connection in order")
  private boolean ordered;

  @Option(
      names = "--mode",
      paramLabel = "park|spin|adaptive",
      description = "how threads wait; default: park",
      defaultValue = "park")
  private BenchSpec.Wait mode = BenchSpec.Wait.PARK;

  @Option(
      names = "--pin",
      paramLabel = "one|two",
      description =
          "bind both processes to the first core that they may use, or the receiver to the second")
  private Pinning pinning = Pinning.NONE;

  @Option(
      names = "--codec",
      paramLabel = "hand|record",
      description =
          "message with a codec written by hand and reused instances, or a record with a generated"
              + " codec; default: hand",
      defaultValue = "hand")
  private BenchSpec.PayloadKind codec = BenchSpec.PayloadKind.HAND;

  @Option(
      names = "--duration",
      paramLabel = "S",
      description = "seconds to measure; default: ${DEFAULT-VALUE}",
      defaultValue = "5")
  private double duration;

  @Option(
      names = "--warmup",
      paramLabel = "S|A..B",
      description =
          "seconds to run before, or from A..B until the compilers of both processes rest;"
              + " default: ${DEFAULT-VALUE}",
      converter = WarmUp.Converter.class,
      defaultValue = "3")
  private WarmUp warmup = WarmUp.of(3);

  @Option(
      names = "--pause",
      paramLabel = "S",
      description =
          "pingpong: seconds of silence before each round trip that is measured; default: none")
  private double pause;

  @Option(names = "--virtual", description = "sending threads are virtual ones")
  private boolean virtual;

  @Option(names = "--in-process", description = "both nodes in one process")
  private boolean inProcess;

  @Option(
      names = "--corrupt",
      paramLabel = "loss|duplicate|reorder",
      description =
          "the sender loses, repeats or swaps a message, to show that the check notices: status 1")
  private BenchSpec.Corruption corrupt = BenchSpec.Corruption.NONE;

  @Option(
      names = "--profile",
      paramLabel = "FOLDER",
      description =
          "say where the processor time went, by async-profiler, and put flame graphs and stacks of"
              + " each process into this folder")
  private @Nullable Path profiles;

  @Option(names = "--json", description = "print one line of JSON on standard output, nothing else")
  private boolean json;

  /** Whether links use TLS. */
  boolean tls() {
    return tls;
  }

  /** What to measure. */
  BenchSpec spec(BenchSpec.Kind kind) {
    if (tls && !transport.name().equals("tcp")) {
      throw new CommandException("--tls needs --transport tcp");
    }
    Range.check("--payload", payload, 0, MAX_PAYLOAD);
    Range.check("--threads", threads, 1, MAX_THREADS);
    Range.check("--duration", duration, 0.01, MAX_SECONDS);
    warmup.check("--warmup", MAX_SECONDS);
    Range.check("--pause", pause, 0, 3600);
    if (pause > 0 && kind != BenchSpec.Kind.PINGPONG) {
      throw new CommandException("--pause is between round trips: use it with pingpong");
    }
    BenchSpec spec =
        new BenchSpec(
            kind,
            transport.checked(),
            payload,
            threads,
            virtual,
            handlers(),
            drain,
            handler,
            ordered,
            mode,
            codec,
            duration,
            warmup,
            pause,
            corrupt,
            null);
    if (corrupt == BenchSpec.Corruption.REORDER && !spec.showsOrder()) {
      throw new CommandException(
          "--corrupt reorder shows only where handlers keep the order: add --ordered, or use"
              + " --handler inline");
    }
    if (isInProcess() && pinning != Pinning.NONE) {
      throw new CommandException(
          "--pin binds processes to cores, and there is only one: leave out --pin, or measure two"
              + " processes over tcp");
    }
    return spec;
  }

  private int handlers() {
    if (handlers == null) {
      return 1;
    }
    Range.check("--handlers", handlers, 1, MAX_THREADS);
    if (handler != Dispatch.Mode.POOLED) {
      throw new CommandException(
          "--handlers are threads of the handler pool: add --handler pooled");
    }
    return handlers;
  }

  Pinning pinning() {
    return pinning;
  }

  /** Loopback connects nodes of one process only. */
  boolean isInProcess() {
    return inProcess || transport.name().equals("loopback");
  }

  /** Where profiles go, or null. */
  @Nullable Path profiles() {
    return profiles;
  }

  boolean json() {
    return json;
  }
}
