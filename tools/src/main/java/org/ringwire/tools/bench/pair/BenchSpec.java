package org.ringwire.tools.bench.pair;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.ringwire.Dispatch;
import org.ringwire.IdleStrategy;
import org.ringwire.NodeConfig.DrainMode;
import org.ringwire.tools.bench.check.MessageCheck;
import org.ringwire.tools.bench.measure.WarmUp;

/**
 * What to measure; handed to child processes as JSON.
 *
 * @param benchmark round trips or one way
 * @param transport name of the transport
 * @param payloadBytes length of the content of a message
 * @param threads sending threads
 * @param virtual whether sending threads are virtual ones
 * @param handlers threads of the receiver's handler pool
 * @param drain who writes to the medium
 * @param handler which thread handles a message
 * @param ordered whether handlers keep the order of a connection
 * @param mode how threads wait
 * @param codec whether the message has a codec written by hand or a generated one
 * @param durationSeconds length of the measurement
 * @param warmup the run before it
 * @param pauseSeconds before each measured round trip
 * @param corrupt what the sender does wrong on purpose
 * @param tlsFolder where certificates are, see {@link org.ringwire.tools.options.ThrowAwayTls}, or
 *     null for no TLS
 */
public record BenchSpec(
    Kind benchmark,
    String transport,
    int payloadBytes,
    int threads,
    boolean virtual,
    int handlers,
    Drain drain,
    Dispatch.Mode handler,
    boolean ordered,
    Wait mode,
    PayloadKind codec,
    double durationSeconds,
    WarmUp warmup,
    double pauseSeconds,
    Corruption corrupt,
    @Nullable String tlsFolder) {

  /** The same with TLS. */
  public BenchSpec withTls(String folder) {
    return new BenchSpec(
        benchmark,
        transport,
        payloadBytes,
        threads,
        virtual,
        handlers,
        drain,
        handler,
        ordered,
        mode,
        codec,
        durationSeconds,
        warmup,
        pauseSeconds,
        corrupt,
        folder);
  }

  /** What carries the messages, in results. */
  public String medium() {
    return tlsFolder == null ? transport : transport + "+tls";
  }

  /** The benchmarks that need a sender and a receiver. */
  public enum Kind {
    PINGPONG,
    STREAM,
    IDLE;

    /** As people write it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Who writes to the medium. */
  public enum Drain {
    ADAPTIVE(DrainMode.ADAPTIVE),
    IO(DrainMode.IO_THREAD);

    final DrainMode mode;

    Drain(DrainMode mode) {
      this.mode = mode;
    }
  }

  /** How threads wait. */
  public enum Wait {
    PARK(0),
    /** As asked for, even where a process sees a single core because it is pinned to it. */
    SPIN(1_000_000),
    /** By the load: the default of a node. */
    ADAPTIVE(-1),
    /** Spins for longer than any benchmark takes. */
    NEVER_PARK(86_400_000_000_000L);

    private final long spinNs;

    Wait(long spinNs) {
      this.spinNs = spinNs;
    }

    /** As people write it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    IdleStrategy strategy() {
      return this == ADAPTIVE ? IdleStrategy.adaptive() : new IdleStrategy(spinNs);
    }
  }

  /** Whose codec. */
  public enum PayloadKind {
    HAND,
    RECORD
  }

  /** What the sender does wrong, once, so that the check can be seen to notice. */
  public enum Corruption {
    NONE,
    LOSS,
    DUPLICATE,
    REORDER
  }

  /** How the receiver handles messages. */
  Dispatch dispatch() {
    Dispatch dispatch = new Dispatch(handler, false);
    return ordered ? dispatch.inOrder() : dispatch;
  }

  /** Whether the order in which a sender's messages are handled says something. */
  public boolean showsOrder() {
    return ordered || handler == Dispatch.Mode.INLINE || benchmark == Kind.PINGPONG;
  }

  /** A check that fits the way in which messages are handled. */
  MessageCheck newCheck() {
    if (!showsOrder()) {
      return MessageCheck.exactlyOnce(threads, payloadBytes);
    }
    return benchmark == Kind.PINGPONG && handler != Dispatch.Mode.INLINE
        ? MessageCheck.ofRoundTrips(threads, payloadBytes)
        : MessageCheck.inOrder(threads, payloadBytes);
  }
}
