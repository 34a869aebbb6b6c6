package org.ringwire.tools.bench.pair;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.ringwire.Dispatch;
import org.ringwire.Exchange;
import org.ringwire.Node;
import org.ringwire.tools.bench.check.CheckResult;
import org.ringwire.tools.bench.check.MessageCheck;
import org.ringwire.tools.bench.check.Numbered;
import org.ringwire.tools.bench.measure.Allocation;
import org.ringwire.tools.bench.measure.CompilerTime;
import org.ringwire.tools.bench.measure.CpuUse;
import org.ringwire.tools.bench.measure.SystemCalls;
import org.ringwire.tools.bench.profile.Profiler;

/**
 * The side that handles the messages and checks them. The control requests run on virtual threads
 * of their own, so that they may wait while messages are handled.
 */
public final class Receiver implements AutoCloseable {

  /** After so long without a message none is expected any more. */
  private static final long QUIET_NS = 3_000_000_000L;

  /** The same where it is known that something is wrong. */
  private static final long QUIET_IF_CORRUPT_NS = 1_000_000_000;

  private static final long POLL_NS = 50_000;

  /** Not a time: after one in which the process stood still the handlers need some, too. */
  private static final int QUIET_LOOKS = 100;

  private final Node node;
  private final MessageCheck check;
  private final long quietNs;
  private volatile long allocatedAtBegin;
  private volatile long cpuAtBegin;
  private volatile @Nullable SystemCalls callsAtBegin;

  private Receiver(Node node, BenchSpec spec) {
    this.node = node;
    check = spec.newCheck();
    quietNs = spec.corrupt() == BenchSpec.Corruption.NONE ? QUIET_NS : QUIET_IF_CORRUPT_NS;
  }

  /** Opens the node and registers the handlers. */
  public static Receiver open(BenchSpec spec) {
    Receiver receiver = new Receiver(BenchNodes.receiver(spec), spec);
    Class<? extends Numbered> type =
        spec.codec() == BenchSpec.PayloadKind.HAND ? Payload.class : RecordPayload.class;
    receiver.register(spec, type);
    return receiver;
  }

  private <T extends Numbered> void register(BenchSpec spec, Class<T> type) {
    MessageCheck checking = check;
    if (spec.benchmark() == BenchSpec.Kind.STREAM) {
      node.handle(type, spec.dispatch(), (message, _) -> checking.accept(message));
    } else {
      node.handle(
          type,
          spec.dispatch(),
          (message, exchange) -> {
            checking.accept(message);
            if (exchange.isRequest()) {
              exchange.reply(message);
            }
          });
    }
    node.handle(Control.Begin.class, Dispatch.BLOCKING, this::begin);
    node.handle(Control.AwaitHandled.class, Dispatch.BLOCKING, this::awaitHandled);
    node.handle(Control.Verify.class, Dispatch.BLOCKING, this::verify);
  }

  /** Where senders connect to. */
  public String address() {
    return Objects.requireNonNull(node.address(), "the receiver listens");
  }

  private void begin(Control.Begin begin, Exchange exchange) {
    Profiler.OF_PROCESS.begin();
    allocatedAtBegin = Allocation.ofProcess();
    cpuAtBegin = CpuUse.ofProcess();
    callsAtBegin = SystemCalls.ofProcess();
    exchange.reply(new Control.Begun(begin.threads()));
  }

  private void awaitHandled(Control.AwaitHandled request, Exchange exchange) {
    long seen = check.handled();
    long seenAt = System.nanoTime();
    int looks = 0;
    while (request.count() >= 0 && (seen != request.count() || check.suspicious())) {
      LockSupport.parkNanos(POLL_NS);
      long now = check.handled();
      if (now != seen) {
        seen = now;
        seenAt = System.nanoTime();
        looks = 0;
      } else if (++looks > QUIET_LOOKS && System.nanoTime() - seenAt > quietNs) {
        break;
      }
    }
    SystemCalls calls = SystemCalls.since(callsAtBegin);
    exchange.reply(
        new Control.Handled(
            seen,
            Allocation.ofProcess() - allocatedAtBegin,
            CpuUse.ofProcess() - cpuAtBegin,
            calls == null ? -1 : calls.reads(),
            calls == null ? -1 : calls.writes(),
            CompilerTime.millis()));
  }

  private void verify(Control.Verify request, Exchange exchange) {
    Profiler.OF_PROCESS.end();
    CheckResult result = check.result(request.sent());
    exchange.reply(
        new Control.Verdict(
            result.handled(), result.lost(), result.duplicated(), result.outOfOrder()));
  }

  @Override
  public void close() {
    node.close();
  }
}
