package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.EncodingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.heap.Samples.Circle;
import org.ringwire.heap.Samples.Colour;
import org.ringwire.heap.Samples.Drawing;
import org.ringwire.heap.Samples.Square;
import org.ringwire.heap.Samples.Tree;
import org.ringwire.testing.NodeWatcher;

/** Nodes send, request and handle graphs, over every transport. */
@ExtendWith(NodeWatcher.class)
class HeapMessagesSystemTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();

  private Node open(int id, String transport) {
    String listen = transport.equals("tcp") ? "127.0.0.1:0" : "heap-" + id + "-" + hashCode();
    HeapCodec codec = HeapCodec.builder().acceptPackage("org.ringwire.heap").build();
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(Drawing.class, codec.messageCodec(Drawing.class));
    catalog.register(Tree.class, codec.messageCodec(Tree.class));
    NodeConfig config =
        NodeConfig.builder(id)
            .transport(transport)
            .listen(listen)
            .peers(directory)
            .catalog(catalog)
            .requestTimeout(PATIENCE)
            .sendTimeout(PATIENCE)
            .build();
    Node node = Node.open(config);
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  private static Drawing drawing(int seed) {
    Drawing drawing = new Drawing(new Circle(seed), new Square(seed, Colour.GREEN));
    drawing.extra = List.of(drawing, RandomGraphs.graph(seed, 20));
    return drawing;
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp", "shm"})
  void shouldCarryGraphs(String transport) throws Exception {
    try (Node one = open(1, transport);
        Node two = open(2, transport)) {
      BlockingQueue<Drawing> arrived = new LinkedBlockingQueue<>();
      two.handle(
          Drawing.class, Dispatch.POOLED.inOrder(), (drawing, exchange) -> arrived.add(drawing));
      two.handle(Tree.class, Dispatch.INLINE, (tree, exchange) -> exchange.reply(tree));
      for (int i = 0; i < 200; i++) {
        one.send(2, drawing(i));
      }
      for (int i = 0; i < 200; i++) {
        Drawing copy = arrived.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(Graphs.difference(drawing(i), copy)).isNull();
      }
      Tree tree = Tree.ofDepth(6);
      for (int i = 0; i < 100; i++) {
        Tree answer = one.request(2, tree, Tree.class, PATIENCE);
        assertThat(Graphs.difference(tree, answer)).isNull();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp", "shm"})
  void shouldCarryGraphsLongerThanTheWindow(String transport) {
    try (Node one = open(1, transport);
        Node two = open(2, transport)) {
      two.handle(Drawing.class, (drawing, exchange) -> exchange.reply(drawing));
      Drawing large = drawing(1);
      large.extra = new Object[] {large, new long[1 << 19], Tree.ofDepth(14)};

      Drawing answer = one.request(2, large, Drawing.class, PATIENCE);

      assertThat(((long[]) ((Object[]) answer.extra)[1])).hasSize(1 << 19);
      assertThat(((Object[]) answer.extra)[0]).isSameAs(answer);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldGoOnAfterAGraphThatCannotBeSent(String transport) {
    try (Node one = open(1, transport);
        Node two = open(2, transport)) {
      two.handle(Drawing.class, (drawing, exchange) -> exchange.reply(drawing));
      Drawing bad = drawing(1);
      bad.extra = Thread.currentThread();

      for (int i = 0; i < 10; i++) {
        assertThatThrownBy(() -> one.send(2, bad)).isInstanceOf(EncodingException.class);
      }
      assertThat(one.request(2, drawing(2), Drawing.class, PATIENCE).shapes).hasSize(2);
    }
  }
}
