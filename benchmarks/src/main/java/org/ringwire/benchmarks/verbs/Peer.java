package org.ringwire.benchmarks.verbs;

import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.ringwire.Authentication;
import org.ringwire.Dispatch;
import org.ringwire.IdleStrategy;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeMetrics;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.tools.bench.measure.CompilerTime;
import org.ringwire.tools.bench.measure.RttMicros;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.process.ParentLink;

/**
 * One of the two processes: a node that handles what comes, and sends what its parent asks for. It
 * lives through all rounds, so that only the first of them meets code that is not compiled.
 */
final class Peer {

  static final String MEET = "meet";
  static final String STREAM = "stream";
  static final String ECHO = "echo";
  static final String COUNTERS = "counters";
  static final String COMPILERS = "compilers";
  static final String END = "end";

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long POLL_NS = 50_000;

  /** Longer than any answer takes, and over before it is the other program's turn. */
  private static final long SPIN_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private final ParentLink parent = ParentLink.open();
  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final Node node;
  private final AtomicLong handled = new AtomicLong(); // written by one thread at a time
  private int other;

  /** Answered when so many messages were handled since the node was opened. */
  record AwaitHandled(long count) {}

  /** Answers {@link AwaitHandled}. */
  record Handled(long count) {}

  /** What was measured: messages or round trips, and how long it took. */
  record Ran(long messages, double seconds, @Nullable RttMicros micros) {}

  private Peer(int id, String transport, String mode) {
    MessageCatalog catalog = new MessageCatalog(MethodHandles.lookup());
    catalog.register(Sized.class, new Sized.Codec());
    NodeConfig.Builder settings =
        NodeConfig.builder(id)
            .cluster("bench-verbs")
            .transport(transport)
            .listen("127.0.0.1:0")
            .peers(directory)
            .catalog(catalog)
            .authentication(Authentication.none())
            .connectTimeout(PATIENCE)
            .sendTimeout(PATIENCE)
            .requestTimeout(PATIENCE);
    switch (mode) {
      case "park" -> settings.idleStrategy(IdleStrategy.parking());
      case "spin" -> settings.idleStrategy(new IdleStrategy(SPIN_NS));
      default -> settings.idleStrategy(IdleStrategy.adaptive());
    }
    node = Node.open(settings.build());
    node.handle(
        Sized.class,
        Dispatch.INLINE,
        (message, exchange) -> {
          if (exchange.isRequest()) {
            exchange.reply(message);
          } else {
            handled.lazySet(handled.get() + 1);
          }
        });
    node.handle(
        AwaitHandled.class,
        Dispatch.BLOCKING,
        (wanted, exchange) -> {
          long endNs = System.nanoTime() + PATIENCE.toNanos();
          while (handled.get() < wanted.count() && System.nanoTime() - endNs < 0) {
            TimeUnit.NANOSECONDS.sleep(POLL_NS);
          }
          exchange.reply(new Handled(handled.get()));
        });
  }

  /**
   * Runs until the parent says that it is over, or is gone.
   *
   * @param words own id, transport, and how threads wait
   */
  public static void main(String... words) {
    int status = 0;
    try {
      Peer peer = new Peer(Integer.parseInt(words[0]), words[1], words[2]);
      try (peer.node) {
        peer.parent.ready(String.valueOf(peer.node.address()));
        peer.obeyAll();
      }
    } catch (InterruptedException | RuntimeException e) {
      e.printStackTrace();
      status = 2;
    }
    System.exit(status);
  }

  private void obeyAll() throws InterruptedException {
    long sent = 0;
    while (true) {
      String[] words = parent.awaitLine().split(" ", -1);
      switch (words[0]) {
        case MEET -> {
          other = Integer.parseInt(words[1]);
          directory.put(other, words[2]);
          node.request(other, new AwaitHandled(0), Handled.class, PATIENCE);
          parent.ready("");
        }
        case STREAM -> {
          int threads = Integer.parseInt(words[2]);
          Ran ran = stream(sent, Integer.parseInt(words[1]), threads, nanos(words[3]));
          sent += ran.messages();
          parent.send(JsonLine.of(ran));
        }
        case ECHO -> parent.send(JsonLine.of(echo(Integer.parseInt(words[1]), nanos(words[2]))));
        case COUNTERS -> parent.send(JsonLine.of(counters()));
        case COMPILERS -> parent.send(Long.toString(CompilerTime.millis()));
        default -> {
          return;
        }
      }
    }
  }

  private static long nanos(String seconds) {
    return Math.round(Double.parseDouble(seconds) * 1e9);
  }

  /** Sends for a time; the clock stops when the other one has handled the last message. */
  private Ran stream(long before, int size, int threads, long forNs) throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    AtomicLong sent = new AtomicLong();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    List<Thread> senders = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      senders.add(
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                try {
                  go.await();
                  sent.addAndGet(send(size, forNs));
                } catch (InterruptedException | RuntimeException e) {
                  failure.set(e);
                }
              }));
    }
    long startNs = System.nanoTime();
    go.countDown();
    for (Thread sender : senders) {
      sender.join();
    }
    if (failure.get() != null) {
      throw new IllegalStateException("a sender has failed", failure.get());
    }
    Handled all =
        node.request(other, new AwaitHandled(before + sent.get()), Handled.class, PATIENCE);
    double seconds = (System.nanoTime() - startNs) / 1e9;
    if (all.count() != before + sent.get()) {
      throw new IllegalStateException(
          "messages lost or doubled: sent=" + (before + sent.get()) + " handled=" + all.count());
    }
    return new Ran(sent.get(), seconds, null);
  }

  private long send(int size, long forNs) {
    Sized message = new Sized(size);
    long endNs = System.nanoTime() + forNs;
    long count = 0;
    do {
      node.send(other, message);
      count++;
    } while (System.nanoTime() - endNs < 0);
    return count;
  }

  private Ran echo(int size, long forNs) {
    Sized message = new Sized(size);
    Histogram ns = RttMicros.newHistogram();
    long startNs = System.nanoTime();
    long last = startNs;
    while (last - startNs < forNs) {
      Sized answer = node.request(other, message, Sized.class, PATIENCE);
      if (answer.content.length != size) {
        throw new IllegalStateException("an answer of " + answer.content.length + " bytes");
      }
      long now = System.nanoTime();
      ns.recordValue(now - last);
      last = now;
    }
    return new Ran(ns.getTotalCount(), (last - startNs) / 1e9, RttMicros.of(ns));
  }

  /** What the transport has counted, and the node itself. */
  private Counters counters() {
    NodeMetrics metrics = node.metrics();
    return new Counters(
        new HashMap<>(metrics.transport()), metrics.bytesSent(), metrics.bytesReceived());
  }

  /**
   * What a process has counted so far.
   *
   * @param verbs by the transport; empty if it counts nothing
   * @param bytesSent by the node, as bytes of frames
   * @param bytesReceived by the node
   */
  record Counters(Map<String, Long> verbs, long bytesSent, long bytesReceived) {

    long verb(String name) {
      return verbs.getOrDefault(name, 0L);
    }

    /**
     * Whether each byte that the node counts went over a queue pair.
     *
     * @param isAll whether nothing else did; datagrams have heads, and some go twice
     */
    boolean addUp(boolean isAll) {
      if (verbs.isEmpty()) {
        return true;
      }
      return isAll
          ? verb("sendBytes") == bytesSent && verb("receivedBytes") == bytesReceived
          : verb("sendBytes") >= bytesSent && verb("receivedBytes") >= bytesReceived;
    }
  }
}
