package org.ringwire.tools.bench.scale;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.tools.console.CommandException;

/** The node under measurement, in its process. One thread of its process calls it. */
final class MeasuredNode implements AutoCloseable {

  /** Peers that are connected to at the same time: less than a node takes handshakes. */
  private static final int CONNECTING = 32;

  /** Messages that each peer gets, and returns. */
  private static final int NOTES = 16;

  private static final int QUESTIONS = 2000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long POLL_NS = 200_000;
  private static final long SETTLE_MS = 1000;

  /** Nothing was given back at so many looks, one after the other: then nothing more will be. */
  private static final int SETTLED_LOOKS = 5;

  private static final long LOOK_MS = 200;
  private static final Duration SETTLED = Duration.ofSeconds(30);

  private final ScaleSpec spec;
  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final ConcurrentHashMap<Integer, AtomicInteger> returned = new ConcurrentHashMap<>();
  private final Node node;
  private int connected;
  private long streamed;

  MeasuredNode(ScaleSpec spec) {
    this.spec = spec;
    node = Nodes.open(ScaleSpec.NODE, spec, directory);
    node.handle(
        Messages.Note.class,
        Dispatch.INLINE,
        (note, exchange) -> {
          Objects.requireNonNull(returned.get(exchange.source())).incrementAndGet();
        });
  }

  String address() {
    return Objects.requireNonNull(node.address(), "it listens");
  }

  /** Where peers are. */
  void know(int first, int last, String address) {
    for (int id = first; id <= last; id++) {
      directory.put(id, address);
    }
  }

  /** Connects to more peers, until there are so many, and exchanges messages with each. */
  Connected connect(int peers) throws InterruptedException {
    long beganNs = System.nanoTime();
    if (connected == 0) {
      ask(0);
      connected = 1;
    }
    AtomicInteger next = new AtomicInteger(ScaleSpec.BUSY + connected);
    int last = ScaleSpec.BUSY + peers - 1;
    ConcurrentLinkedQueue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(CONNECTING)) {
      for (int i = 0; i < CONNECTING; i++) {
        threads.execute(() -> {
          try {
            for (int id = next.getAndIncrement(); id <= last; id = next.getAndIncrement()) {
              greet(id);
            }
          } catch (RuntimeException e) {
            failures.add(e);
            next.set(last + 1);
          }
        });
      }
    }
    if (!failures.isEmpty()) {
      throw failures.element();
    }
    connected = peers;
    return new Connected(node.metrics().connections().size(), (System.nanoTime() - beganNs) / 1e9);
  }

  private void greet(int id) {
    AtomicInteger count = new AtomicInteger();
    returned.put(id, count);
    for (int i = 0; i < NOTES; i++) {
      node.send(id, Messages.Note.of(i));
    }
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    while (count.get() < NOTES) {
      if (System.nanoTime() - endNs >= 0) {
        throw new CommandException(
            "peer " + id + " has returned " + count.get() + " of " + NOTES + " messages");
      }
      LockSupport.parkNanos(POLL_NS);
    }
  }

  /** Waits until idle connections have given back what they hold, and measures. */
  Footprint footprint() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(2 * spec.idleMs() + SETTLE_MS); // it looks twice in that time
    long endNs = System.nanoTime() + SETTLED.toNanos();
    long least = node.metrics().nativeBytes();
    int looks = 0;
    // A node that has got no core in the meantime has not looked as often.
    while (looks < SETTLED_LOOKS && System.nanoTime() - endNs < 0) {
      TimeUnit.MILLISECONDS.sleep(Math.min(spec.idleMs(), LOOK_MS));
      long now = node.metrics().nativeBytes();
      looks = now < least ? 0 : looks + 1;
      least = Math.min(least, now);
    }
    return Footprint.now(node);
  }

  /** Streams for a while, then asks questions one after the other. */
  Cost cost(double seconds) {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpu = system.getProcessCpuTime();
    long beganNs = System.nanoTime();
    long lengthNs = Math.round(seconds * 1e9);
    long count = 0;
    while ((count & 63) != 0 || System.nanoTime() - beganNs < lengthNs) {
      node.send(ScaleSpec.BUSY, Messages.Note.of(count++));
    }
    streamed += count;
    Messages.Answer answer =
        node.request(
            ScaleSpec.BUSY, new Messages.Handled(streamed), Messages.Answer.class, PATIENCE);
    long wallNanos = System.nanoTime() - beganNs;
    long cpuNanos = system.getProcessCpuTime() - cpu;
    if (answer.number() != streamed) {
      throw new CommandException(
          "messages were lost: sent=" + streamed + " handled=" + answer.number());
    }
    return new Cost(count, wallNanos, cpuNanos, roundTrips());
  }

  private double roundTrips() {
    long[] nanos = new long[QUESTIONS];
    for (int i = 0; i < QUESTIONS; i++) {
      long beganNs = System.nanoTime();
      ask(i);
      nanos[i] = System.nanoTime() - beganNs;
    }
    Arrays.sort(nanos);
    return nanos[QUESTIONS / 2] / 1e3;
  }

  private void ask(long number) {
    Messages.Answer answer =
        node.request(
            ScaleSpec.BUSY, new Messages.Question(number), Messages.Answer.class, PATIENCE);
    if (answer.number() != number) {
      throw new CommandException("answer to another question: " + answer.number());
    }
  }

  /** Processor time of this process while it has nothing to do; 100 is one core. */
  double idlePercent(double seconds) throws InterruptedException {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpu = system.getProcessCpuTime();
    long beganNs = System.nanoTime();
    TimeUnit.NANOSECONDS.sleep(Math.round(seconds * 1e9));
    return 100.0 * (system.getProcessCpuTime() - cpu) / (System.nanoTime() - beganNs);
  }

  @Override
  public void close() {
    node.close(Duration.ofSeconds(1));
  }
}
