package org.ringwire.benchmarks.heap;

import com.sun.management.OperatingSystemMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Array;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.Dispatch;
import org.ringwire.Exchange;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.heap.ChannelOptions;
import org.ringwire.heap.HeapChannel;
import org.ringwire.heap.HeapChannels;
import org.ringwire.heap.HeapCodec;

/** The receiving process of {@link EndToEnd}, and of the figures: decodes, and says so. */
@SuppressWarnings("ArrayRecordComponent")
public final class EndToEndPeer {
  public static final int SENDER = 1;
  public static final int RECEIVER = 2;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private EndToEndPeer() {}

  /** A graph that a serializer has encoded. */
  public record Image(String way, MemorySegment bytes) {}

  /** It was decoded. */
  public record Decoded(int elements) {}

  /** Asks for what the receiver has used. */
  public record UsageQuery() {}

  /** Since it began: processor time of the process, and what decoding has taken of it. */
  public record Usage(long processorNs, long decodeNs) {}

  /** Graphs as records of this library, whose codecs are generated. */
  record Floats(float[] values) {}

  record PointRow(int x, float y) {}

  record PointTable(PointRow[] rows) {}

  record PairRow(int number, char[] word) {}

  record PairTable(PairRow[] rows) {}

  /** A graph as a record. */
  public static Object table(Object graph) {
    return switch (graph) {
      case float[] floats -> new Floats(floats);
      case Graph.Point[] points ->
          new PointTable(
              Arrays.stream(points).map(p -> new PointRow(p.x, p.y)).toArray(PointRow[]::new));
      case Graph.Pair[] pairs ->
          new PairTable(
              Arrays.stream(pairs).map(p -> new PairRow(p.number, p.word)).toArray(PairRow[]::new));
      default -> throw new IllegalArgumentException("no record for " + graph.getClass());
    };
  }

  /** What a way encodes with. */
  public static String serializerOf(String way) {
    return way.equals("ringwire-whole") ? "ringwire" : way;
  }

  public static HeapCodec codec() {
    return HeapCodec.builder()
        .accept(Graph.Point.class, Graph.Pair.class)
        .detectCycles(false)
        .maxBytes(1L << 30)
        .build();
  }

  public static Node open(int id, NodeDirectory.Mutable directory) {
    return Node.open(
        NodeConfig.builder(id)
            .transport("tcp")
            .listen("127.0.0.1:0")
            .peers(directory)
            .lookup(MethodHandles.lookup())
            .maxMessageLength(1 << 28)
            .build());
  }

  /** Words: address of the sender, shape, elements. Ends with the sender. */
  public static void main(String[] words) {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    directory.put(SENDER, words[0]);
    try (Node node = open(RECEIVER, directory);
        HeapChannels channels =
            HeapChannels.of(node, codec(), ChannelOptions.DEFAULT.withTimeout(PATIENCE))) {
      handle(node, words[1], Integer.parseInt(words[2]));
      HeapChannel channel = channels.to(SENDER);
      channel.writeObject(node.address());
      read(channel);
    }
  }

  private static void handle(Node node, String shape, int elements) {
    Map<String, Serializer> serializers = new HashMap<>();
    AtomicLong decodeNs = new AtomicLong();
    node.handle(
        Image.class,
        Dispatch.POOLED.inOrder(),
        (image, exchange) -> {
          Serializer serializer =
              serializers.computeIfAbsent(
                  image.way(), way -> Serializers.of(serializerOf(way), shape, elements, false));
          long startNs = threadNs();
          int length = lengthOf(serializer.decode(image.bytes()));
          decodeNs.addAndGet(threadNs() - startNs);
          answer(exchange, length);
        });
    node.handle(
        Floats.class,
        Dispatch.POOLED.inOrder(),
        (floats, exchange) -> answer(exchange, floats.values().length));
    node.handle(
        PointTable.class,
        Dispatch.POOLED.inOrder(),
        (points, exchange) -> answer(exchange, points.rows().length));
    node.handle(
        PairTable.class,
        Dispatch.POOLED.inOrder(),
        (pairs, exchange) -> answer(exchange, pairs.rows().length));
    node.handle(
        UsageQuery.class,
        Dispatch.POOLED.inOrder(),
        (_, exchange) -> exchange.reply(new Usage(processorNs(), decodeNs.get())));
  }

  private static void answer(Exchange exchange, int length) {
    if (exchange.isRequest()) {
      exchange.reply(new Decoded(length));
    }
  }

  /** A number says how many graphs have one answer from now on. */
  private static void read(HeapChannel channel) {
    int batch = 1;
    int count = 0;
    while (true) {
      Object graph = Objects.requireNonNull(channel.readObject(Duration.ofHours(1)));
      if (graph instanceof Integer number) {
        batch = number;
        count = 0;
      } else if (++count == batch) {
        count = 0;
        channel.writeObject(lengthOf(graph));
      }
    }
  }

  /** What all threads of this process have used of the processors. */
  public static long processorNs() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /**
   * What this thread has used of the processors, so that stages of one process can be subtracted.
   */
  public static long threadNs() {
    return THREADS.getCurrentThreadCpuTime();
  }

  private static int lengthOf(Object graph) {
    if (graph instanceof Collection<?> collection) {
      return collection.size();
    }
    return graph instanceof Map<?, ?> map ? map.size() : Array.getLength(graph);
  }
}
