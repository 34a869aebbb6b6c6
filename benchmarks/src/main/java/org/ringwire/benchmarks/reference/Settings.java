package org.ringwire.benchmarks.reference;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One measurement.
 *
 * @param payloadLength length of the {@code byte[]}
 * @param threads sending or requesting threads
 * @param durationSeconds measured time, after {@code warmupSeconds} that are not
 */
record Settings(
    PeerSystem system,
    Kind kind,
    int payloadLength,
    int threads,
    Mode mode,
    Pin pin,
    double durationSeconds,
    double warmupSeconds) {

  /** What is measured. */
  enum Kind {
    STREAM,
    PINGPONG,
    REQUESTS;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How a thread waits for the socket. */
  enum Mode {
    PARK,
    SPIN
  }

  /** Where the two processes run: wherever the scheduler puts them, on one core, or on two. */
  enum Pin {
    NONE,
    ONE,
    TWO
  }

  /** The programs. */
  enum PeerSystem {
    REFERENCE("reference", "JDK only: blocking channel, lock, one buffer, flush per 64 messages"),
    MINIMAL_NIO("minimal-nio", "the same over a channel that does not block, spinning (pingpong)"),
    NETTY_EPOLL("netty-epoll", "Netty: ordinary writes, flush per 64 messages"),
    NETTY_NIO("netty-nio", "the same over the JDK's selector"),
    NETTY_IO_URING("netty-io_uring", "Netty: 64 messages encoded into one buffer by the user"),
    C("c", "the kernel's limit: bytes without messages (stream, pingpong); needs a C compiler");

    private final String label;
    private final String description;

    PeerSystem(String label, String description) {
      this.label = label;
      this.description = description;
    }

    String label() {
      return label;
    }

    String description() {
      return description;
    }

    boolean isNetty() {
      return this == NETTY_EPOLL || this == NETTY_NIO || this == NETTY_IO_URING;
    }

    static String labels() {
      return Arrays.stream(values()).map(PeerSystem::label).collect(Collectors.joining(", "));
    }
  }

  Settings {
    require(payloadLength >= 0 && payloadLength <= 1 << 26, "--payload must be 0..67108864");
    require(threads >= 1 && threads <= 1024, "--threads must be 1..1024");
    require(durationSeconds > 0 && durationSeconds <= 3600, "--duration must be above 0, to 3600");
    require(warmupSeconds >= 0 && warmupSeconds <= 3600, "--warmup must be 0..3600");
    require(
        kind != Kind.PINGPONG || threads == 1,
        "pingpong has one thread; use --benchmark requests for more");
    require(
        system != PeerSystem.C || kind != Kind.REQUESTS,
        "c has no requests; it is the limit for stream and pingpong");
    require(
        system != PeerSystem.C || threads == 1, "c has one thread, whatever is compared with it");
    require(
        system != PeerSystem.REFERENCE || mode == Mode.PARK,
        "reference waits in the kernel; use --system minimal-nio to spin");
    require(
        system != PeerSystem.MINIMAL_NIO || kind == Kind.PINGPONG,
        "minimal-nio only does pingpong; use --system reference");
    require(
        mode == Mode.PARK || kind == Kind.PINGPONG,
        "only pingpong spins; the receiver of a stream never waits for long");
    require(
        mode == Mode.PARK || !system.isNetty() || system == PeerSystem.NETTY_EPOLL,
        "only netty-epoll has a busy-waiting loop");
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new UsageException(message);
    }
  }

  /** A setting or an environment that cannot work: one line for the user, exit status 2. */
  static final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
      super(message);
    }
  }
}
