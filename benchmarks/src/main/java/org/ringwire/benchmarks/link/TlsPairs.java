package org.ringwire.benchmarks.link;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.ServiceLoader;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.Tls;
import org.ringwire.tools.options.ThrowAwayTls;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;

/**
 * What it takes to connect two nodes that have never met, with TLS over TCP on 127.0.0.1 within one
 * process: a link there, and then a link back, which resumes the session of the first, or makes a
 * handshake of its own. Rounds alternate between the two; the medians of the rounds are the result.
 * So that nothing else is resumed, each pair meets at another address of 127.0.0.0/8.
 */
@SuppressWarnings("try") // resources that only have to be closed
public final class TlsPairs {

  private static final int WARMUP_ROUNDS = 15;
  private static final int ROUNDS = 9;
  private static final long ROUND_NS = TimeUnit.SECONDS.toNanos(1);
  private static final int LAST_ID = 2;

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private TlsPairs() {}

  /** How the second link begins. */
  private interface Back {
    void connect(Transport from, String address, Link accepted, LinkHandler handler);
  }

  /** Runs. */
  public static void main(String[] args) throws Exception {
    try (ThrowAwayTls files = ThrowAwayTls.create("default", LAST_ID);
        Meeting meeting = new Meeting(ThrowAwayTls.load(files.folder()))) {
      Times own = new Times("second handshake in full, us", "%.0f");
      Times resumed = new Times("resumed, us", "%.0f");
      for (int round = -WARMUP_ROUNDS; round < ROUNDS; round++) {
        Times.Round ownRound = meeting.run((from, to, first, end) -> from.connect(to, end));
        Times.Round resumedRound = meeting.run(Transport::connectBack);
        if (round >= 0) {
          own.add(round, ownRound);
          resumed.add(round, resumedRound);
        }
      }
      own.print(System.out);
      resumed.print(System.out);
      resumed.over(own).print(System.out);
    }
  }

  /** Microseconds, or ratios of them, one number per round. */
  private static final class Times {
    private final String name;
    private final String format;
    private final double[] second = new double[ROUNDS];
    private final double[] pair = new double[ROUNDS];
    private final double[] cpu = new double[ROUNDS];

    /** Medians of a round: the second link, both links; and processor time per pair. */
    private record Round(double secondUs, double pairUs, double cpuUs) {}

    Times(String name, String format) {
      this.name = name;
      this.format = format;
    }

    /** The ratios within rounds. */
    Times over(Times other) {
      Times ratios = new Times("resumed over in full", "%.2f");
      for (int round = 0; round < ROUNDS; round++) {
        ratios.add(
            round,
            new Round(
                second[round] / other.second[round],
                pair[round] / other.pair[round],
                cpu[round] / other.cpu[round]));
      }
      return ratios;
    }

    void add(int round, Round times) {
      second[round] = times.secondUs();
      pair[round] = times.pairUs();
      cpu[round] = times.cpuUs();
    }

    void print(PrintStream out) {
      out.printf(
          "%s: second link %s, both links %s, processor time of both nodes %s%n",
          name, figure(second), figure(pair), figure(cpu));
    }

    private String figure(double[] rounds) {
      double[] sorted = rounds.clone();
      Arrays.sort(sorted);
      return String.format(
          format + " (" + format + " to " + format + ")",
          sorted[sorted.length / 2],
          sorted[0],
          sorted[sorted.length - 1]);
    }
  }

  /** Two transports that meet again and again as if for the first time. */
  private static final class Meeting implements AutoCloseable {
    private final Transport one;
    private final Transport two;
    private final BlockingQueue<End> ofOne = new ArrayBlockingQueue<>(16);
    private final BlockingQueue<End> ofTwo = new ArrayBlockingQueue<>(16);
    private final String onePort;
    private final String twoPort;
    private int number;

    Meeting(Tls tls) throws IOException {
      TransportProvider tcp =
          ServiceLoader.load(TransportProvider.class).stream()
              .map(ServiceLoader.Provider::get)
              .filter(provider -> provider.name().equals("tcp"))
              .findFirst()
              .orElseThrow();
      one = tcp.open(config(1, tls));
      two = tcp.open(config(2, tls));
      onePort = listen(one, ofOne);
      twoPort = listen(two, ofTwo);
    }

    private static TransportConfig config(int id, Tls tls) {
      return new TransportConfig(
          id, 1, IdleStrategy.parking(), 1 << 20, Duration.ofSeconds(20), "default", tls);
    }

    /** Listens on all addresses; returns the port with its colon. */
    private static String listen(Transport transport, BlockingQueue<End> accepted)
        throws IOException {
      String bound =
          transport.listen(
              "0.0.0.0:0",
              remote -> {
                End end = new End();
                return accepted.offer(end) ? end : null;
              });
      return bound.substring(bound.lastIndexOf(':'));
    }

    Times.Round run(Back back) throws Exception {
      double[] second = new double[1 << 14];
      double[] pair = new double[1 << 14];
      int count = 0;
      long cpuNs = SYSTEM.getProcessCpuTime();
      long endNs = System.nanoTime() + ROUND_NS;
      while (count < pair.length && System.nanoTime() - endNs < 0) {
        number++;
        String host =
            "127." + (1 + (number >> 16)) + "." + (number >> 8 & 0xFF) + "." + (number & 0xFF);
        long startNs = System.nanoTime();
        End there = new End();
        two.connect(host + onePort, there);
        End accepted = taken(ofOne);
        Link first = accepted.link();
        there.link();
        long firstNs = System.nanoTime();
        End backEnd = new End();
        back.connect(one, host + twoPort, first, backEnd);
        backEnd.link();
        End backAccepted = taken(ofTwo);
        backAccepted.link();
        long nowNs = System.nanoTime();
        second[count] = (nowNs - firstNs) / 1000.0;
        pair[count++] = (nowNs - startNs) / 1000.0;
        there.close();
        backEnd.close();
        accepted.awaitEnd();
        backAccepted.awaitEnd();
      }
      double cpuUs = (SYSTEM.getProcessCpuTime() - cpuNs) / 1000.0 / count;
      Arrays.sort(second, 0, count);
      Arrays.sort(pair, 0, count);
      return new Times.Round(second[count / 2], pair[count / 2], cpuUs);
    }

    private static End taken(BlockingQueue<End> queue) throws InterruptedException {
      End end = queue.poll(20, TimeUnit.SECONDS);
      if (end == null) {
        throw new IllegalStateException("no link came");
      }
      return end;
    }

    @Override
    public void close() {
      two.close();
      one.close();
    }
  }

  /** One end of a link. */
  private static final class End implements LinkHandler {
    private final CompletableFuture<Link> opened = new CompletableFuture<>();
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

    Link link() throws Exception {
      return opened.get(20, TimeUnit.SECONDS);
    }

    void close() throws Exception {
      link().close();
      awaitEnd();
    }

    void awaitEnd() throws Exception {
      ended.get(20, TimeUnit.SECONDS);
    }

    @Override
    public void opened(Link link) {
      opened.complete(link);
    }

    @Override
    public void received(MemorySegment memory, long offset, long length) {}

    @Override
    public @Nullable ByteBuffer destination() {
      return null;
    }

    @Override
    public void receivedInDestination(int length) {
      throw new IllegalStateException("there was no destination");
    }

    @Override
    public void writable() {}

    @Override
    public void closed(@Nullable Throwable cause) {
      opened.completeExceptionally(new IOException("ended before it was open", cause));
      ended.complete(true);
    }
  }
}
