package org.ringwire.infiniband;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.ringwire.Authentication;
import org.ringwire.EndReason;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.heap.ChannelOptions;
import org.ringwire.heap.HeapChannel;
import org.ringwire.heap.HeapChannels;
import org.ringwire.heap.HeapCodec;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.testing.FullHeap;

/**
 * Two nodes over {@code ib} in whose process there is no heap left again and again while they do
 * all that they can do with each other, and then plenty; says whether each of it goes on, and what
 * the device is left with.
 */
final class NodesWithoutHeapProgram {

  private static final long WITHOUT_NS = 5_000_000_000L;
  private static final long PATIENCE_NS = 60_000_000_000L;
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final int MOST_MS = 30;
  private static final int LONG = 1 << 20; // longer than a quarter of a ring
  private static final int WORDS = 64 << 10;
  private static final byte CONTENT = 0x5A;
  private static final String RULE_BROKEN = EndReason.RULE_BROKEN.name();

  private final LongAdder corrupted = new LongAdder();

  private volatile boolean isOver;
  private volatile boolean isClosing;

  @SuppressWarnings("ArrayRecordComponent")
  record Ask(byte[] bytes) {}

  @SuppressWarnings("ArrayRecordComponent")
  record Answer(byte[] bytes) {}

  private NodesWithoutHeapProgram() {}

  /** What is tried again and again, and may fail. */
  @FunctionalInterface
  private interface Use {
    void run() throws Exception;
  }

  public static void main(String... args) throws Exception {
    System.setProperty("ringwire.ib.engine", args[0]);
    new NodesWithoutHeapProgram().run();
    System.out.println("regions: " + SimulatedDevice.get("regions"));
    System.out.println("pairs: " + SimulatedDevice.get("pairs"));
    System.out.println("devices: " + SimulatedDevice.get("open devices"));
    System.exit(0); // whatever the hunger has left behind
  }

  private void run() throws Exception {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    Thread reader;
    try (Arena arena = Arena.ofShared();
        Node one = open(1, directory);
        Node two = open(2, directory);
        RemoteMemory here = RemoteMemory.of(one);
        RemoteMemory there = RemoteMemory.of(two);
        HeapChannels from = channels(one, here);
        HeapChannels to = channels(two, there);
        ExportedMemory exported =
            there.export(arena.allocate(WORDS, 8), MemoryPermission.values())) {
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(new Answer(checked(ask.bytes()))));
      MemorySegment own = arena.allocate(WORDS, 8);
      RemoteRegion region = here.open(exported.descriptor());
      HeapChannel channel = to.to(1);
      reader = Thread.ofPlatform().start(() -> read(channel));
      Map<String, Use> uses = new LinkedHashMap<>();
      uses.put("request", () -> ask(one, 16));
      uses.put("long request", () -> ask(one, LONG));
      uses.put("write", () -> region.write(0, own, SHORT));
      uses.put("read", () -> region.read(0, own.asSlice(0, 64), SHORT));
      uses.put("add", () -> region.fetchAndAdd(8, 1, SHORT));
      uses.put("add later", () -> region.fetchAndAddAsync(8, 1).toCompletableFuture().get());
      uses.put("graph", () -> from.to(2).writeObject(new byte[WORDS]));
      uses.forEach((name, use) -> System.out.println(name + " before: " + succeeds(use)));
      useWithoutHeap(uses);
      uses.forEach((name, use) -> System.out.println(name + " after: " + succeeds(use)));
      long broken =
          Stream.of(one, two)
              .mapToLong(node -> node.metrics().connectionEnds().getOrDefault(RULE_BROKEN, 0L))
              .sum();
      System.out.println("broken rules: " + broken);
      isClosing = true;
    }
    reader.join();
    System.out.println("corrupted: " + corrupted.sum());
  }

  private void ask(Node node, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, CONTENT);
    byte[] answer = node.request(2, new Ask(bytes), Answer.class, SHORT).bytes();
    if (checked(answer).length != length) {
      corrupted.increment();
    }
  }

  /** What was sent, and nothing else, whatever was lost before. */
  private byte[] checked(byte[] bytes) {
    for (byte each : bytes) {
      if (each != CONTENT) {
        corrupted.increment();
        break;
      }
    }
    return bytes;
  }

  private void useWithoutHeap(Map<String, Use> uses) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    uses.forEach((name, use) ->
        threads.add(
            Thread.ofPlatform()
                .name(name)
                .start(() -> {
                  while (!isOver) {
                    boolean _ = isDone(use);
                  }
                })));
    try {
      starve();
    } finally {
      isOver = true;
    }
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    for (Thread thread : threads) {
      boolean ended = thread.join(Duration.ofNanos(Math.max(1, deadlineNs - System.nanoTime())));
      if (!ended) {
        System.out.println(thread.getName() + " hangs");
        for (StackTraceElement each : thread.getStackTrace()) {
          System.out.println("  " + each);
        }
      }
    }
  }

  /** Again and again for a moment, which finds threads in other places each time. */
  private static void starve() throws InterruptedException {
    long deadlineNs = System.nanoTime() + WITHOUT_NS;
    for (int round = 1; System.nanoTime() - deadlineNs < 0; round++) {
      try {
        FullHeap.fill();
        Thread.sleep(7 * round % MOST_MS);
        FullHeap.fill(); // what others have let go of
        Thread.sleep(11 * round % MOST_MS);
      } catch (OutOfMemoryError e) {
        // this thread, too
      } finally {
        FullHeap.empty();
      }
      Thread.sleep(13 * round % MOST_MS);
    }
  }

  private void read(HeapChannel channel) {
    while (!isClosing) {
      boolean _ = isDone(channel::readObject);
    }
  }

  private static boolean isDone(Use use) {
    try {
      use.run();
      return true;
    } catch (Exception | OutOfMemoryError e) {
      return false;
    }
  }

  private static boolean succeeds(Use use) {
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    Throwable last = null;
    while (System.nanoTime() - deadlineNs < 0) {
      try {
        use.run();
        return true;
      } catch (Exception | OutOfMemoryError e) {
        last = e;
      }
    }
    if (last != null) {
      last.printStackTrace();
    }
    return false;
  }

  private static Node open(int id, NodeDirectory.Mutable directory) {
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport("ib")
                .listen("127.0.0.1:0")
                .peers(directory)
                .authentication(Authentication.none())
                .connectTimeout(Duration.ofSeconds(1))
                .keepAlive(Duration.ofSeconds(1))
                .build());
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  private static HeapChannels channels(Node node, RemoteMemory memory) {
    return HeapChannels.of(
        node,
        HeapCodec.builder().build(),
        ChannelOptions.DEFAULT.withTimeout(Duration.ofSeconds(5)),
        new RemoteMemoryCarrier(memory));
  }
}
