package org.ringwire.benchmarks.link;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.RetainedExchange;
import org.ringwire.tools.console.Text;

/**
 * What docs/operations.md says of the heap that what waits takes, and of the time that memory for a
 * long ring takes: two nodes over TCP in this process, before and after.
 */
@SuppressWarnings("try") // resources that only have to be closed
public final class HeldMemory {

  private static final int MANY = 20_000;
  private static final int FEW = 1_000; // of those that wait for a connection
  private static final int PAUSES = 15;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration IDLE = Duration.ofMillis(200);

  private HeldMemory() {}

  private record Blocking(long number) {}

  private record Kept(long number) {}

  private record Asked(long number) {}

  private record Answered(long number) {}

  /** A message that a handler has kept, with the way to answer it. */
  private record Held(Asked message, RetainedExchange exchange) {
    void answer() {
      exchange.reply(new Answered(message.number()));
      exchange.close();
    }
  }

  /** Runs. */
  public static void main(String[] args) throws Exception {
    perBlockingHandler();
    perRetainedMessage();
    perRequest();
    perRequestWithoutConnection();
    perMiB();
  }

  /** It waits for an answer, which leaves its message nothing of the window. */
  private static void perBlockingHandler() throws InterruptedException {
    Queue<Held> asked = new ConcurrentLinkedQueue<>();
    try (Pair pair = Pair.open(1 << 20, Duration.ofSeconds(10))) {
      pair.one.handle(
          Asked.class, (message, exchange) -> asked.add(new Held(message, exchange.retain())));
      pair.two.handle(
          Blocking.class,
          Dispatch.BLOCKING,
          (message, exchange) -> {
            Answered _ = pair.two.request(1, new Asked(message.number()), Answered.class, PATIENCE);
          });
      long before = usedBytes();
      for (int i = 0; i < MANY; i++) {
        pair.one.send(2, new Blocking(i));
      }
      await(asked::size, MANY);
      print(
          "blocking handler that waits, its request, and that at its receiver",
          (double) (usedBytes() - before) / MANY);
      asked.forEach(Held::answer);
      await(() -> (int) pair.two.metrics().messagesHandled(), MANY);
    }
  }

  private static void perRetainedMessage() throws InterruptedException {
    Queue<RetainedExchange> held = new ConcurrentLinkedQueue<>();
    try (Pair pair = Pair.open(1 << 20, Duration.ofSeconds(10))) {
      pair.two.handle(Kept.class, (message, exchange) -> held.add(exchange.retain()));
      pair.one.send(2, new Kept(0));
      await(held::size, 1);
      long before = usedBytes();
      for (int i = 0; i < MANY; i++) {
        pair.one.send(2, new Kept(i));
      }
      await(held::size, MANY + 1);
      print("retained message, and its place in a queue", (double) (usedBytes() - before) / MANY);
      held.forEach(RetainedExchange::close);
    }
  }

  private static void perRequest() throws InterruptedException {
    Queue<Held> held = new ConcurrentLinkedQueue<>();
    try (Pair pair = Pair.open(1 << 20, Duration.ofSeconds(10))) {
      pair.two.handle(
          Asked.class, (message, exchange) -> held.add(new Held(message, exchange.retain())));
      long before = usedBytes();
      List<CompletableFuture<Answered>> futures = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        futures.add(pair.one.requestAsync(2, new Asked(i), Answered.class, PATIENCE));
      }
      await(held::size, MANY);
      held.forEach(Held::answer);
      held.clear();
      futures.forEach(CompletableFuture::join);
      futures.clear();
      print("request that has ended: what is kept", (double) (usedBytes() - before) / MANY);
    }
  }

  private static void perRequestWithoutConnection() throws IOException, InterruptedException {
    try (Pair pair = Pair.open(1 << 20, Duration.ofSeconds(10));
        ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      pair.directory.put(3, "127.0.0.1:" + silent.getLocalPort());
      long before = usedBytes();
      List<CompletableFuture<Answered>> futures = new ArrayList<>();
      for (int i = 0; i < FEW; i++) {
        futures.add(pair.one.requestAsync(3, new Asked(i), Answered.class, PATIENCE));
      }
      TimeUnit.SECONDS.sleep(2); // each on a virtual thread, which has to begin
      print(
          "request that waits for a connection, and its message",
          (double) (usedBytes() - before) / FEW);
      futures.forEach(future -> future.cancel(false));
    }
  }

  private static void perMiB() throws InterruptedException {
    int shortMiB = 1;
    int longMiB = 64;
    double difference = firstMillis(longMiB << 20, IDLE) - firstMillis(shortMiB << 20, IDLE);
    System.out.println(
        Text.format(
            "first message after silence: %.2f ms more for each MiB of a ring of %d MiB",
            difference / (longMiB - shortMiB), longMiB));
  }

  /** The median time of a send for which the ring takes memory. */
  private static double firstMillis(int ringCapacity, Duration idleTime)
      throws InterruptedException {
    double[] millis = new double[PAUSES];
    try (Pair pair = Pair.open(ringCapacity, idleTime)) {
      pair.two.handle(Kept.class, Dispatch.INLINE, (message, exchange) -> {});
      pair.one.send(2, new Kept(0));
      for (int i = 0; i < PAUSES; i++) {
        TimeUnit.MILLISECONDS.sleep(4 * idleTime.toMillis());
        long startNs = System.nanoTime();
        pair.one.send(2, new Kept(i));
        millis[i] = (System.nanoTime() - startNs) / 1e6;
      }
    }
    Arrays.sort(millis);
    return millis[PAUSES / 2];
  }

  private static void print(String what, double bytes) {
    System.out.println(Text.format("%s: %.0f B of heap each", what, bytes));
  }

  private static void await(IntSupplier count, int expected) throws InterruptedException {
    while (count.getAsInt() < expected) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private static long usedBytes() {
    for (int i = 0; i < 3; i++) { // what one finds dead may hold what the next one frees
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Two nodes that are connected. */
  private record Pair(NodeDirectory.Mutable directory, Node one, Node two)
      implements AutoCloseable {

    static Pair open(int ringCapacity, Duration idleTime) {
      NodeDirectory.Mutable directory = NodeDirectory.mutable();
      Node one = node(1, directory, ringCapacity, idleTime);
      Node two = node(2, directory, ringCapacity, idleTime);
      directory.put(1, String.valueOf(one.address())).put(2, String.valueOf(two.address()));
      two.handle(Answered.class, Dispatch.INLINE, (message, exchange) -> exchange.reply(message));
      Answered _ = one.request(2, new Answered(0), Answered.class, PATIENCE);
      return new Pair(directory, one, two);
    }

    private static Node node(int id, NodeDirectory directory, int ringCapacity, Duration idleTime) {
      return Node.open(
          NodeConfig.builder(id)
              .listen("127.0.0.1:0")
              .peers(directory)
              .lookup(MethodHandles.lookup())
              .ringCapacity(ringCapacity)
              .idleTime(idleTime)
              .window(16 << 20, 16 << 20)
              .connectTimeout(PATIENCE)
              .closeTimeout(Duration.ofMillis(200))
              .build());
    }

    @Override
    public void close() {
      one.close();
      two.close();
    }
  }
}
