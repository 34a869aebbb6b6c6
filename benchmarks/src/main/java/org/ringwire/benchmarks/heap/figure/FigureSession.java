package org.ringwire.benchmarks.heap.figure;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.benchmarks.heap.EndToEndPeer;
import org.ringwire.benchmarks.heap.OwnJvm;
import org.ringwire.benchmarks.heap.Serializer;
import org.ringwire.benchmarks.heap.Serializers;
import org.ringwire.heap.ChannelOptions;
import org.ringwire.heap.HeapChannel;
import org.ringwire.heap.HeapChannels;
import org.ringwire.heap.WriteHandle;

/** Two processes and a connection between them, over which graphs of a shape go in every way. */
final class FigureSession implements AutoCloseable {
  static final String CHANNEL = "ringwire";
  static final String ELEMENTS = "ringwire-elements";
  static final String WHOLE = "ringwire-whole";
  static final String RECORD = "ringwire-record";

  /** A channel, a message with an image, a message that is a record, and the peers. */
  static final List<String> WAYS =
      List.of(CHANNEL, WHOLE, RECORD, "kryo", "kryo-unsafe", "fory", "java");

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String shape;
  private final int elements;
  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final Node node = EndToEndPeer.open(EndToEndPeer.SENDER, directory);
  private final HeapChannels channels;
  private final HeapChannel channel;
  private final Process receiver;
  private final Map<String, Serializer> serializers = new HashMap<>();
  private int batch = 1;
  private long encodeNs;

  /**
   * Starts the other process.
   *
   * @param elements of the longest graph
   * @param block how long the blocks of the channel are, or null as usual
   */
  FigureSession(String shape, int elements, @Nullable Integer block) throws IOException {
    this.shape = shape;
    this.elements = elements;
    ChannelOptions options = ChannelOptions.DEFAULT.withTimeout(PATIENCE);
    this.channels =
        HeapChannels.of(
            node, EndToEndPeer.codec(), block == null ? options : options.withBlockBytes(block));
    this.channel = channels.to(EndToEndPeer.RECEIVER);
    this.receiver =
        OwnJvm.start(
            EndToEndPeer.class,
            List.of(String.valueOf(node.address()), shape, String.valueOf(elements)));
    directory.put(EndToEndPeer.RECEIVER, String.valueOf(channel.readObject()));
  }

  /** A graph as a way wants it; made once, outside of what is measured. */
  static Object prepared(String way, Object graph) {
    return way.equals(RECORD) ? EndToEndPeer.table(graph) : graph;
  }

  /** Nanoseconds from before a graph is encoded until the other side says that it was decoded. */
  long tripNs(String way, Object prepared) {
    return streamNs(way, new Object[] {prepared}, 1);
  }

  /**
   * Nanoseconds for graphs one after the other, until the last was decoded.
   *
   * @param prepared what is sent, again from the first when there are no more
   */
  long streamNs(String way, Object[] prepared, int count) {
    if (isChannel(way) && batch != count) {
      channel.writeObject(count);
      batch = count;
    }
    long startNs = System.nanoTime();
    if (isChannel(way)) {
      write(way, prepared, count);
    } else {
      for (int i = 0; i < count - 1; i++) {
        node.send(EndToEndPeer.RECEIVER, message(way, prepared[i % prepared.length]), PATIENCE);
      }
      Object last = message(way, prepared[(count - 1) % prepared.length]);
      node.request(EndToEndPeer.RECEIVER, last, EndToEndPeer.Decoded.class, PATIENCE);
    }
    return System.nanoTime() - startNs;
  }

  private static boolean isChannel(String way) {
    return way.equals(CHANNEL) || way.equals(ELEMENTS);
  }

  private void write(String way, Object[] graphs, int count) {
    for (int i = 0; i < count; i++) {
      Object graph = graphs[i % graphs.length];
      if (way.equals(ELEMENTS)) {
        channel.writeIterable((Object[]) graph);
      } else if (i < count - 1) {
        WriteHandle _ = channel.writeObjectAsync(graph);
      } else {
        channel.writeObject(graph);
      }
    }
    channel.readObject();
  }

  private Object message(String way, Object prepared) {
    if (way.equals(RECORD)) {
      return prepared;
    }
    Serializer serializer =
        serializers.computeIfAbsent(
            way, _ -> Serializers.of(EndToEndPeer.serializerOf(way), shape, elements, false));
    long startNs = EndToEndPeer.threadNs();
    serializer.encode(prepared);
    encodeNs += EndToEndPeer.threadNs() - startNs;
    return new EndToEndPeer.Image(way, serializer.image());
  }

  /** What both processes have used of the processors so far. */
  record Usage(long senderNs, long encodeNs, long receiverNs, long decodeNs, long bytesSent) {}

  Usage usage() {
    EndToEndPeer.Usage there =
        node.request(
            EndToEndPeer.RECEIVER,
            new EndToEndPeer.UsageQuery(),
            EndToEndPeer.Usage.class,
            PATIENCE);
    return new Usage(
        EndToEndPeer.processorNs(),
        encodeNs,
        there.processorNs(),
        there.decodeNs(),
        node.metrics().bytesSent());
  }

  @Override
  public void close() {
    OwnJvm.end(receiver);
    channels.close();
    node.close();
  }
}
