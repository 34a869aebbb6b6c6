package org.ringwire.benchmarks.reference.harness;

import java.util.Locale;
import org.ringwire.tools.bench.measure.WarmUp;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.options.Range;

/**
 * One measurement.
 *
 * @param system name of the program, as in {@code --system}
 * @param payloadLength length of the {@code byte[]}
 * @param threads sending or requesting threads
 * @param durationSeconds measured time, after {@code warmup}, which is not
 * @param pauseSeconds of silence before each measured round trip; 0: one after the other
 * @param messagesPerFlush of a sender of a stream
 */
public record Settings(
    String system,
    Kind kind,
    int payloadLength,
    int threads,
    Mode mode,
    Pin pin,
    double durationSeconds,
    WarmUp warmup,
    double pauseSeconds,
    int messagesPerFlush) {

  /** Every compared program flushes after this many messages, unless it is told otherwise. */
  public static final int MESSAGES_PER_FLUSH = 64;

  /** As many as fit into what Netty lets be on its way. */
  public static final int MOST_MESSAGES_PER_FLUSH = 1 << 16;

  private static final double MAX_SECONDS = 3600;

  /** What is measured. */
  public enum Kind {
    /** One way, as fast as the threads can. */
    STREAM,
    /** One thread, one message at a time, there and back. */
    PINGPONG,
    /** The same on several threads that share a connection. */
    REQUESTS;

    /** As in {@code --benchmark}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How a thread waits. */
  public enum Mode {
    /** In the kernel, until it is woken. */
    PARK,
    /** By asking again and again. */
    SPIN;

    /** As in {@code --mode}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Where the two processes run: wherever the scheduler puts them, on one core, or on two. */
  public enum Pin {
    /** The scheduler decides. */
    NONE,
    /** Both on the same core. */
    ONE,
    /** A core each. */
    TWO;

    /** As in {@code --pin}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Checks what holds for every program. */
  public Settings {
    Range.check("--payload", payloadLength, 0, 1 << 26);
    Range.check("--threads", threads, 1, 1024);
    Range.check("--duration", durationSeconds, 0.01, MAX_SECONDS);
    warmup.check("--warmup", MAX_SECONDS);
    require(
        kind != Kind.PINGPONG || threads == 1,
        "pingpong has one thread; use --benchmark requests for more");
    Range.check("--pause", pauseSeconds, 0, MAX_SECONDS);
    require(
        pauseSeconds == 0 || kind == Kind.PINGPONG,
        "--pause is between round trips: use it with pingpong");
    Range.check("--messages-per-flush", messagesPerFlush, 1, MOST_MESSAGES_PER_FLUSH);
    require(
        messagesPerFlush == MESSAGES_PER_FLUSH || kind == Kind.STREAM,
        "--messages-per-flush is for streams; a request does not wait for others");
  }

  /** The same for a program that no compiler works for while it runs. */
  public Settings forProgramInC() {
    WarmUp fixed = WarmUp.of(warmup.seconds());
    return new Settings(
        system,
        kind,
        payloadLength,
        threads,
        mode,
        pin,
        durationSeconds,
        fixed,
        pauseSeconds,
        messagesPerFlush);
  }

  /** Says on the error output how long it takes, when the processes have started. */
  public void announce() {
    System.err.printf(
        Locale.ROOT,
        "%s %s: warming up for %s, then measuring for %.1f s%n",
        system,
        kind.label(),
        warmup.text(),
        durationSeconds);
  }

  /** The pause in nanoseconds. */
  public long pauseNs() {
    return Math.round(pauseSeconds * 1e9);
  }

  /** Refuses with one line for the user unless the condition holds. */
  public static void require(boolean condition, String message) {
    if (!condition) {
      throw new CommandException(message);
    }
  }

  /** Whether the two processes have a core each, so that spinning does not keep the other out. */
  public boolean hasCoreEach(int cpus) {
    return pin == Pin.TWO || (pin == Pin.NONE && cpus >= 2);
  }
}
