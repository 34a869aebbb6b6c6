package org.ringwire.benchmarks.reference.c;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ringwire.benchmarks.reference.harness.Contender;
import org.ringwire.benchmarks.reference.harness.Cores;
import org.ringwire.benchmarks.reference.harness.Result;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.Settings.Kind;
import org.ringwire.benchmarks.reference.harness.Settings.Mode;
import org.ringwire.tools.console.CommandException;

/** Compiles a program on the spot and runs it; it starts its second process by itself. */
public final class CProgram implements Contender {
  private final CSource source;
  private final String medium;
  private final Variant variant;

  /** What the socket is asked for besides. */
  private enum Variant {
    PLAIN,
    /** Streams without a copy on the sender's side. */
    ZEROCOPY,
    /** Round trips during which the kernel looks at the device. */
    BUSYPOLL,
    /** Sends by io_uring, and waits for the answer in the same call. */
    URING,
    /** Streams by io_uring without a copy on the sender's side. */
    URING_ZEROCOPY
  }

  private CProgram(String source, String medium, Variant variant) {
    this.source = new CSource(source);
    this.medium = medium;
    this.variant = variant;
  }

  /** A stream of bytes over TCP. */
  public static CProgram tcp() {
    return new CProgram("socket_reference", "tcp", Variant.PLAIN);
  }

  /** The same, whose sender lets the kernel use its pages. */
  public static CProgram zeroCopy() {
    return new CProgram("socket_reference", "tcp", Variant.ZEROCOPY);
  }

  /** The same, whose readers let the kernel look at the device while they wait. */
  public static CProgram busyPoll() {
    return new CProgram("socket_reference", "tcp", Variant.BUSYPOLL);
  }

  /** The same by io_uring. */
  public static CProgram uring() {
    return new CProgram("socket_reference", "tcp", Variant.URING);
  }

  /** The same by io_uring, whose sender lets the kernel use its pages. */
  public static CProgram uringZeroCopy() {
    return new CProgram("socket_reference", "tcp", Variant.URING_ZEROCOPY);
  }

  /** A stream of bytes over a Unix socket. */
  public static CProgram unix() {
    return new CProgram("socket_reference", "unix", Variant.PLAIN);
  }

  /** Numbered messages through memory that both processes have mapped. */
  public static CProgram shm() {
    return new CProgram("shm_reference", "shm", Variant.PLAIN);
  }

  private boolean isSocket() {
    return !medium.equals("shm");
  }

  @Override
  public boolean hasWriteSize(Kind kind) {
    return kind == Kind.STREAM && isSocket();
  }

  @Override
  public String medium() {
    return medium;
  }

  /** A ring whose reader is looked at, not woken, is the fastest there is. */
  @Override
  public Mode defaultMode(Kind kind) {
    return isSocket() || kind != Kind.STREAM ? Mode.PARK : Mode.SPIN;
  }

  @Override
  public void requireSupported(Settings settings) {
    Settings.require(
        settings.kind() != Kind.REQUESTS,
        "a program in C has no requests; it is the limit for stream and pingpong");
    Settings.require(
        !(variant == Variant.ZEROCOPY || variant == Variant.URING_ZEROCOPY)
            || settings.kind() == Kind.STREAM,
        "without a copy goes a stream; its end would wait for every message otherwise");
    Settings.require(
        variant != Variant.BUSYPOLL || settings.kind() == Kind.PINGPONG,
        "who looks at the device waits for an answer: pingpong");
    Settings.require(
        variant != Variant.URING || settings.mode() == Mode.PARK,
        "with io_uring it waits in the kernel: it parks");
    Settings.require(
        settings.pauseSeconds() == 0 || isSocket(), "--pause is for programs over sockets");
    Settings.require(
        settings.threads() == 1, "a program in C has one thread, whatever is compared with it");
    Settings.require(
        settings.mode() == Mode.PARK || settings.kind() == Kind.PINGPONG || !isSocket(),
        "only pingpong spins; the receiver of a stream never waits for long");
  }

  @Override
  public Result run(Settings settings, Launch launch) throws Exception {
    String line =
        source.run(
            settings, compiler(), program -> command(program, settings, launch.writeLength()));
    return new CFigures(line).result(settings, medium, launch.cpus());
  }

  /** The compiler named by CC, or the first of the usual ones on the path. */
  private static String compiler() {
    String chosen = System.getenv("CC");
    List<String> names =
        chosen == null || chosen.isBlank() ? List.of("cc", "gcc", "clang") : List.of(chosen.trim());
    return CSource.find(names)
        .orElseThrow(() ->
            new CommandException(
                "no C compiler: looked for %s on the path; install one (Debian: sudo apt install gcc libc6-dev)"
                    .formatted(String.join(", ", names))));
  }

  private List<String> command(Path program, Settings settings, int writeLength) {
    Cores cores = Cores.of(settings.pin());
    // A message carries as many bytes as the frame of the Java programs.
    int length =
        hasWriteSize(settings.kind()) ? writeLength : Sample.frameLength(settings.payloadLength());
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(
            program.toString(),
            settings.kind().label(),
            Integer.toString(length),
            settings.mode().label(),
            Integer.toString(cores.sender()),
            Integer.toString(cores.receiver()),
            Double.toString(settings.durationSeconds()),
            Double.toString(settings.warmup().seconds())));
    if (isSocket()) {
      command.add(medium);
      command.add(variant.name().toLowerCase(Locale.ROOT));
      command.add(Double.toString(settings.pauseSeconds()));
    }
    return command;
  }
}
