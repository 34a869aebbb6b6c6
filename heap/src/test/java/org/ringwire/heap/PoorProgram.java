package org.ringwire.heap;

import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.testing.Awaiting;

/** Two nodes in a JVM that has less native memory than the window of their channels. */
final class PoorProgram {
  static final String LIMIT = "-XX:MaxDirectMemorySize=1056k"; // blocks leave a little of it
  private static final int POINTS = 250_000;
  private static final int BEFORE_READING = 160_000; // longer than that
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private PoorProgram() {}

  /** Prints how a graph ends for who writes and who reads it, and the next one. */
  public static void main(String... words) throws Exception {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node one = node(1, directory);
        Node two = node(2, directory);
        HeapChannels left = channels(one);
        HeapChannels right = channels(two)) {
      HeapChannel writing = left.to(2);
      HeapChannel reading = right.to(1);
      Thread reader = Thread.ofPlatform().unstarted(() -> tell("read", reading::readIterable));
      Iterable<Object> points = () -> points(reading, reader);
      tell(
          "wrote",
          () -> {
            writing.writeIterable(points);
            return "";
          });
      reader.join();
      tell(
          "next",
          () -> {
            writing.writeObject(new Samples.Circle(1));
            return reading.readObject();
          });
    }
  }

  private static Node node(int id, NodeDirectory.Mutable directory) {
    directory.put(id, "poor-" + id);
    return Node.open(
        NodeConfig.builder(id)
            .transport("loopback")
            .listen("poor-" + id)
            .peers(directory)
            .keepAlive(PATIENCE) // the JVM looks for memory for long, and the machine may be busy
            .build());
  }

  private static HeapChannels channels(Node node) {
    HeapCodec codec = HeapCodec.builder().acceptPackage("org.ringwire.heap").build();
    ChannelOptions options =
        ChannelOptions.DEFAULT
            .withBlockBytes(65_536)
            .withWindowBytes(4 << 20)
            .withTimeout(PATIENCE);
    return HeapChannels.of(node, codec, options);
  }

  /** The reader begins when there has been no more memory, and makes some free. */
  private static Iterator<Object> points(HeapChannel reading, Thread reader) {
    return IntStream.range(0, POINTS)
        .mapToObj(i -> {
          if (i == BEFORE_READING) {
            Awaiting.await("the graph has failed", reading::isReadable);
            reader.start();
            while (reader.getState() != Thread.State.TIMED_WAITING
                && reader.getState() != Thread.State.TERMINATED) {
              Thread.onSpinWait();
            }
          }
          return (Object) new Samples.Circle(i);
        })
        .iterator();
  }

  private static void tell(String what, Callable<Object> work) {
    String result;
    try {
      Object o = work.call();
      result = o instanceof java.util.List<?> list ? list.size() + " of " + POINTS : "" + o;
    } catch (Exception e) {
      result = e.toString();
    }
    System.out.println(what + ": " + result);
  }
}
