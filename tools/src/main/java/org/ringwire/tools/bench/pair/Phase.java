package org.ringwire.tools.bench.pair;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.ringwire.tools.bench.measure.RttMicros;

/** Runs all senders for a while: the warm-up, or the measurement. */
final class Phase {

  private final BenchSpec spec;
  private final StopSignal stop = new StopSignal();
  private final CountDownLatch ready;
  private final CountDownLatch start = new CountDownLatch(1);
  private final CountDownLatch failed = new CountDownLatch(1);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final List<Histogram> histograms;
  private final List<Thread> threads;
  private final long pauseNs;
  private long startNs;

  private Phase(BenchSpec spec, List<SenderThread> senders, double pauseSeconds) {
    this.spec = spec;
    pauseNs = Math.round(pauseSeconds * 1e9);
    ready = new CountDownLatch(senders.size());
    // Made beforehand, so that they do not count as allocated by the messages.
    histograms = senders.stream().map(_ -> RttMicros.newHistogram()).toList();
    threads =
        IntStream.range(0, senders.size())
            .mapToObj(i ->
                builder("sender-" + i)
                    .unstarted(() -> runSender(senders.get(i), histograms.get(i))))
            .toList();
  }

  /**
   * Makes it, and returns when the threads of all senders wait for {@link #run}: that they are made
   * is no part of what is measured.
   *
   * @param pauseSeconds before each round trip
   */
  static Phase prepare(BenchSpec spec, List<SenderThread> senders, double pauseSeconds)
      throws InterruptedException {
    Phase phase = new Phase(spec, senders, pauseSeconds);
    phase.threads.forEach(Thread::start);
    phase.ready.await();
    return phase;
  }

  /** Runs, once, and returns when every sender has stopped. */
  void run(double seconds) throws InterruptedException {
    startNs = System.nanoTime();
    start.countDown();
    boolean ended =
        failed.await(Duration.ofMillis(Math.round(seconds * 1e3)).toNanos(), TimeUnit.NANOSECONDS);
    stop.set();
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable cause = failure.get();
    if (ended || cause != null) {
      throw cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
    }
  }

  private Thread.Builder builder(String name) {
    return spec.virtual() ? Thread.ofVirtual().name(name) : Thread.ofPlatform().name(name).daemon();
  }

  /** When the senders were let go, as {@link System#nanoTime}. */
  long startNs() {
    return startNs;
  }

  /** The round trip times of all senders. */
  Histogram histogram() {
    Histogram all = RttMicros.newHistogram();
    histograms.forEach(all::add);
    return all;
  }

  private void runSender(SenderThread sender, Histogram histogram) {
    try {
      ready.countDown();
      start.await();
      if (spec.benchmark() == BenchSpec.Kind.STREAM) {
        sender.stream(stop);
      } else {
        sender.pingpong(stop, histogram, pauseNs);
      }
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
      stop.set();
      failed.countDown();
    }
  }
}
