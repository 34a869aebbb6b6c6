package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
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
import org.ringwire.RemoteHandlerException;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.heap.Samples.Checked;
import org.ringwire.heap.Samples.Circle;
import org.ringwire.heap.Samples.Colour;
import org.ringwire.heap.Samples.Drawing;
import org.ringwire.heap.Samples.Square;
import org.ringwire.heap.Samples.Tree;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** Nodes send, request and handle graphs, over every transport. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("decoding messageType=org.ringwire.heap.Samples")
class HeapMessagesSystemTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Longer than what node 2 reads. */
  private static final int WIDE = 1 << 20;

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();

  record Unaccepted(int number) {}

  /** Bytes that are sent in place of the image of a drawing that leads to them. */
  @SuppressWarnings("ArrayRecordComponent") // not compared
  private record Forged(byte[] bytes) {}

  private record ForgingCodec(Codec<Drawing> codec) implements Codec<Drawing> {
    @Override
    public int length(Drawing message) {
      return message.extra instanceof Forged forged ? forged.bytes.length : codec.length(message);
    }

    @Override
    public void encode(Drawing message, Writer writer) {
      if (message.extra instanceof Forged forged) {
        writer.putBytes(MemorySegment.ofArray(forged.bytes), 0, forged.bytes.length);
      } else {
        codec.encode(message, writer);
      }
    }

    @Override
    public Drawing decode(Reader reader) {
      return codec.decode(reader);
    }
  }

  private Node open(int id, String transport) {
    String listen = transport.equals("tcp") ? "127.0.0.1:0" : "heap-" + id + "-" + hashCode();
    HeapCodec codec =
        HeapCodec.builder()
            .acceptNames(name ->
                name.startsWith("org.ringwire.heap.") && !name.equals(Unaccepted.class.getName()))
            .maxArrayLength(id == 2 ? WIDE - 1 : WIDE)
            .build();
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(Drawing.class, new ForgingCodec(codec.messageCodec(Drawing.class)));
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

  /**
   * Of a class that the receiver does not accept, not valid, beyond a limit of the receiver, of
   * another type than the message, or not one image.
   */
  private static List<Drawing> refused() {
    Drawing unknown = drawing(1);
    unknown.extra = new Unaccepted(5);
    Drawing invalid = drawing(2);
    invalid.extra = new Checked(2, 1);
    Drawing wide = drawing(3);
    wide.extra = new byte[WIDE];
    HeapCodec codec = HeapCodec.builder().build();
    byte[] another = codec.encode(new Circle(4));
    byte[] longer = Arrays.copyOf(codec.encode(drawing(5)), 1000);
    return List.of(
        unknown, invalid, wide, forged(another), forged(longer), forged(new byte[] {1, 2, 3}));
  }

  private static Drawing forged(byte[] bytes) {
    Drawing drawing = drawing(6);
    drawing.extra = new Forged(bytes);
    return drawing;
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp", "shm"})
  void shouldRefuseAGraphAndNoOtherMessageOfItsConnection(String transport) throws Exception {
    try (Node one = open(1, transport);
        Node two = open(2, transport)) {
      CountDownLatch given = new CountDownLatch(1);
      two.handle(Drawing.class, (drawing, exchange) -> exchange.reply(drawing));
      two.handle(
          Tree.class,
          Dispatch.BLOCKING,
          (tree, exchange) -> {
            assertThat(given.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            exchange.reply(tree);
          });
      List<CompletableFuture<Tree>> underWay = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        underWay.add(one.requestAsync(2, Tree.ofDepth(3), Tree.class, PATIENCE));
      }
      for (Drawing drawing : refused()) {
        one.send(2, drawing);
        assertThatThrownBy(() -> one.request(2, drawing, Drawing.class, PATIENCE))
            .isInstanceOf(RemoteHandlerException.class)
            .hasMessageContainingAll("decoding failed", "image was refused");
      }
      given.countDown();

      for (CompletableFuture<Tree> answer : underWay) {
        assertThat(answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isNotNull();
      }
      assertThat(one.request(2, drawing(4), Drawing.class, PATIENCE).shapes).hasSize(2);
      assertThat(two.metrics().connectionEnds()).isEmpty();
      assertThat(two.metrics().rejections()).isEmpty();
    }
  }
}
