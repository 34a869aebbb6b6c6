package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.EncodingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.Samples.Circle;
import org.ringwire.heap.Samples.Colour;
import org.ringwire.heap.Samples.Square;
import org.ringwire.heap.Samples.Tree;
import org.ringwire.testing.NodeWatcher;

/** Graphs over the channels of two nodes, over every transport. */
@ExtendWith(NodeWatcher.class)
class ChannelSystemTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private Node node(int id, String transport) {
    String listen = transport.equals("tcp") ? "127.0.0.1:0" : "channel-" + id + "-" + hashCode();
    NodeConfig config =
        NodeConfig.builder(id)
            .transport(transport)
            .listen(listen)
            .peers(directory)
            .requestTimeout(PATIENCE)
            .sendTimeout(PATIENCE)
            .build();
    Node node = Node.open(config);
    open.add(node);
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  private HeapChannels channels(int id, String transport, ChannelOptions options) {
    return channels(id, transport, options, HeapCodec.builder().acceptPackage("org.ringwire.heap"));
  }

  private HeapChannels channels(
      int id, String transport, ChannelOptions options, HeapCodec.Builder codec) {
    HeapChannels channels = HeapChannels.of(node(id, transport), codec.build(), options);
    open.add(channels);
    return channels;
  }

  private static ChannelOptions options() {
    return ChannelOptions.DEFAULT.withTimeout(PATIENCE);
  }

  static CompletableFuture<Void> start(Runnable work) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread.ofPlatform()
        .start(() -> {
          try {
            work.run();
            end.complete(null);
          } catch (RuntimeException | Error e) {
            end.completeExceptionally(e);
          }
        });
    return end;
  }

  static void await(CompletableFuture<Void> end) throws Exception {
    Object _ = end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp", "shm"})
  void shouldCarryGraphsInBothDirections(String transport) throws Exception {
    ChannelOptions small = options().withBlockBytes(4096);
    HeapChannel one = channels(1, transport, small).to(2);
    HeapChannel two = channels(2, transport, small).to(1);
    CompletableFuture<Void> echo =
        start(() -> {
          for (int i = 0; i < 40; i++) {
            two.writeObject(two.readObject());
          }
        });
    for (int i = 0; i < 40; i++) {
      Object graph = i % 10 == 0 ? null : RandomGraphs.graph(i, 1 + i * i);
      one.writeObject(graph);
      assertThat(Graphs.difference(graph, one.readObject())).isNull();
    }
    await(echo);
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp", "shm"})
  void shouldCarryAGraphLongerThanTheWindow(String transport) throws Exception {
    ChannelOptions narrow = options().withBlockBytes(4096).withWindowBytes(1 << 16);
    HeapChannel one = channels(1, transport, narrow).to(2);
    HeapChannel two = channels(2, transport, narrow).to(1);
    Object[] graph = {
      new boolean[100_000],
      Tree.ofDepth(13),
      new double[200_000],
      "\u20ac".repeat(150_000),
      new byte[8192],
      new Object[100_000],
      Samples.list(5000)
    };
    Arrays.fill((double[]) graph[2], 1 / 3.0);
    Arrays.fill((boolean[]) graph[0], 7, 50_000, true);

    CompletableFuture<Void> writing = start(() -> one.writeObject(graph));

    assertThat(Graphs.difference(graph, two.readObject())).isNull();
    await(writing);
  }

  @Test
  void shouldReturnWhenTheGraphHasArrivedThoughNobodyReads() {
    HeapChannel one = channels(1, "tcp", options()).to(2);
    HeapChannel two = channels(2, "tcp", options()).to(1);
    assertThat(two.isReadable()).isFalse();

    one.writeObject(new Circle(1));
    one.writeObject(new long[1 << 18]);

    assertThat(two.isReadable()).isTrue();
    assertThat(((Circle) two.readObject(Duration.ofNanos(1))).radius()).isEqualTo(1);
    assertThat((long[]) two.readObject(Duration.ofNanos(1))).hasSize(1 << 18);
    assertThat(two.isReadable()).isFalse();
  }

  @Test
  void shouldWaitForAReaderWhenTheWindowIsFull() throws Exception {
    ChannelOptions narrow = options().withBlockBytes(4096).withWindowBytes(1 << 16);
    HeapChannel one = channels(1, "tcp", narrow).to(2);
    HeapChannel two = channels(2, "tcp", narrow).to(1);

    CompletableFuture<Void> writing = start(() -> one.writeObject(new int[1 << 16]));
    while (!two.isReadable()) {
      Thread.onSpinWait();
    }
    assertThat(writing).isNotDone();

    assertThat((int[]) two.readObject()).hasSize(1 << 16);
    await(writing);
  }

  @Test
  void shouldEndTheWaitForAReader() {
    ChannelOptions narrow = options().withBlockBytes(4096).withWindowBytes(1 << 16);
    HeapChannel one = channels(1, "tcp", narrow.withTimeout(Duration.ofSeconds(5))).to(2);
    HeapChannel two = channels(2, "tcp", narrow).to(1);
    two.writeObject("connects both");
    assertThat(one.readObject()).isEqualTo("connects both");

    assertThatThrownBy(() -> one.writeObject(new int[1 << 16]))
        .isInstanceOf(ChannelTimeoutException.class)
        .hasMessageContaining("has not read in time")
        .hasMessageContaining("nodeId=2");
    assertThatThrownBy(two::readObject)
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining("gave it up");
    one.writeObject("next");
    assertThat(two.readObject()).isEqualTo("next");
  }

  @Test
  void shouldEndTheWaitForAGraph() {
    HeapChannel two = channels(2, "loopback", options()).to(1);

    assertThatThrownBy(() -> two.readObject(Duration.ofMillis(10)))
        .isInstanceOf(ChannelTimeoutException.class)
        .hasMessageContainingAll("nodeId=1", "timeout=PT0.01S")
        .hasMessageContaining("no graph came in time: nodeId=1");
  }

  @Test
  void shouldTellOfHandlesWhenGraphsHaveArrived() throws Exception {
    HeapChannel one = channels(1, "tcp", options()).to(2);
    HeapChannel two = channels(2, "tcp", options()).to(1);
    List<WriteHandle> handles = new ArrayList<>();
    int[] changing = {0};
    for (int i = 0; i < 100; i++) {
      changing[0] = i;
      handles.add(one.writeObjectAsync(changing));
    }
    for (WriteHandle handle : handles) {
      one.waitHandle(handle);
      assertThat(one.testHandle(handle)).isTrue();
      assertThat(handle.future().get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isNull();
    }
    for (int i = 0; i < 100; i++) {
      assertThat((int[]) two.readObject(Duration.ofNanos(1))).containsExactly(i);
    }
    assertThatThrownBy(() -> two.testHandle(handles.getFirst()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldTellByTheFutureWhatWaitingWouldTell() {
    HeapChannels one = channels(1, "tcp", options());
    int peer = 2;
    WriteHandle written = writeToClosed(one, peer);
    while (written == null) {
      written = writeToClosed(one, ++peer);
    }
    WriteHandle handle = written;
    HeapChannel channel = one.to(peer);
    assertThatThrownBy(() -> handle.future().get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining("the heap channel was closed");
    assertThatThrownBy(() -> channel.waitHandle(handle)).isInstanceOf(GraphLostException.class);
  }

  /** Null if so much time has passed that the writer has asked first, and was told. */
  private @Nullable WriteHandle writeToClosed(HeapChannels one, int peer) {
    HeapChannels two = channels(peer, "tcp", options());
    one.to(peer).writeObject("arrives");
    two.close();
    try {
      return one.to(peer).writeObjectAsync("is lost");
    } catch (GraphLostException e) {
      assertThat(e).hasMessageContaining("the heap channel was closed");
      return null;
    }
  }

  /** For those who do not want to think about timeouts. */
  @Test
  void shouldTakeTheLongestTimeoutThatThereIs() {
    ChannelOptions options = ChannelOptions.DEFAULT.withTimeout(ChronoUnit.FOREVER.getDuration());
    HeapChannel one = channels(1, "tcp", options).to(2);
    HeapChannel two = channels(2, "tcp", options).to(1);
    one.waitHandle(one.writeObjectAsync(new int[] {1, 2, 3}));
    assertThat((int[]) two.readObject()).containsExactly(1, 2, 3);
  }

  @Test
  void shouldRefuseANegativePatience() {
    HeapChannel channel = channels(1, "loopback", options()).to(2);
    for (Duration negative : List.of(Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
      assertThatThrownBy(() -> channel.readObject(negative))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("negative");
      assertThatThrownBy(() -> channel.readIterable(negative))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> channel.readObject(Duration.ZERO))
        .isInstanceOf(ChannelTimeoutException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp", "shm"})
  void shouldCarryElementsWithoutTheirCollection(String transport) {
    HeapChannel one = channels(1, transport, options()).to(2);
    HeapChannel two = channels(2, transport, options()).to(1);
    Map<Object, @Nullable Object> shared = new HashMap<>();
    shared.put("self", shared);
    Object deep = Samples.list(1000);
    one.writeIterable(new Object[] {shared, deep, null, shared});
    one.writeIterable(shared.keySet());
    one.writeIterable(List.of());
    one.writeObject("object");

    List<@Nullable Object> copy = two.readIterable();
    assertThat(Graphs.difference(Arrays.asList(shared, deep, null, shared), copy)).isNull();
    assertThat(copy.get(0)).isSameAs(copy.get(3));
    assertThat(two.readObject()).isEqualTo(List.of("self"));
    assertThat(two.readIterable()).isEmpty();
    assertThatThrownBy(two::readIterable).isInstanceOf(IllegalStateException.class);
    assertThat(two.readObject()).isEqualTo("object");
  }

  @Test
  void shouldGoOnAfterAGraphThatCannotBeSent() {
    ChannelOptions small = options().withBlockBytes(4096);
    HeapChannel one = channels(1, "tcp", small).to(2);
    HeapChannel two = channels(2, "tcp", small).to(1);
    Object[] bad = {new Circle(1), new byte[100_000], Thread.currentThread()};
    Object[] badAtOnce = {Thread.currentThread()};

    assertThatThrownBy(() -> one.writeObject(bad)).isInstanceOf(EncodingException.class);
    assertThatThrownBy(() -> one.writeObject(badAtOnce)).isInstanceOf(EncodingException.class);
    one.writeObject(new Circle(2));

    assertThatThrownBy(two::readObject)
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining("java.lang.Thread");
    assertThat(((Circle) two.readObject()).radius()).isEqualTo(2);
  }

  @Test
  void shouldAskForClassesThatWereDeclaredInGraphsNobodyRead() {
    HeapChannel one = channels(1, "tcp", options()).to(2);
    HeapCodec.Builder picky =
        HeapCodec.builder().accept(Circle.class, Square.class, Colour.class, Tree.class);
    HeapChannel two = channels(2, "tcp", options(), picky).to(1);
    one.writeObject(new Object[] {new Samples.Wide(), new Circle(1), Tree.ofDepth(1)});
    one.writeObject(new Object[] {new Circle(2), new Square(3, Colour.RED), Tree.ofDepth(2)});
    one.writeObject(new Object[] {new Circle(3), new Circle(4)});

    assertThatThrownBy(two::readObject)
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("Wide");
    Object[] second = (Object[]) two.readObject();
    assertThat(((Circle) second[0]).radius()).isEqualTo(2);
    assertThat(Graphs.difference(Tree.ofDepth(2), second[2])).isNull();
    assertThat(((Circle) ((Object[]) two.readObject())[1]).radius()).isEqualTo(4);
  }

  @Test
  void shouldSayWhatIsMissingAtTheOtherSide() {
    HeapChannel one = channels(1, "tcp", options()).to(2);
    Node _ = node(2, "tcp");

    assertThatThrownBy(() -> one.writeObject("x"))
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining("does it have heap channels? nodeId=2: ")
        .hasMessageNotContaining("nodeId=2: nodeId=2");
  }

  @Test
  void shouldEndWaitsWhenChannelsAreClosed() throws Exception {
    HeapChannels channels = channels(2, "loopback", options());
    CompletableFuture<Void> reading = start(() -> channels.to(1).readObject());

    channels.close();

    assertThatThrownBy(() -> await(reading)).hasRootCauseInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> channels.to(1).writeObject("x"))
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldEndTheWaitOfAWriterWhenItsChannelsAreClosed(String transport) {
    ChannelOptions narrow = options().withBlockBytes(4096).withWindowBytes(1 << 16);
    HeapChannels left = channels(1, transport, narrow.withTimeout(Duration.ofHours(1)));
    HeapChannel right = channels(2, transport, narrow).to(1);
    CompletableFuture<Void> writing = start(() -> left.to(2).writeObject(new int[1 << 18]));
    assertThat(awaitReadable(right)).isTrue();
    CompletableFuture<Void> behindIt = start(() -> left.to(2).writeObject("next"));

    left.close();

    assertThatThrownBy(() -> await(writing))
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage("the heap channel is closed, or all channels of the node");
    assertThatThrownBy(() -> await(behindIt)).hasRootCauseInstanceOf(IllegalStateException.class);
    assertThatThrownBy(right::readObject)
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining("gave it up");
  }

  /** Whether as much of a graph has come as there is room for. */
  private static boolean awaitReadable(HeapChannel channel) {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (!channel.isReadable() && System.nanoTime() - deadlineNs < 0) {
      Thread.onSpinWait();
    }
    return channel.isReadable();
  }

  @Test
  void shouldEndAGraphInOrderWhoseIterationClosesTheChannels() {
    HeapChannels left = channels(1, "loopback", options());
    HeapChannel right = channels(2, "loopback", options()).to(1);
    List<Object> elements = List.of(1, 2, 3);

    left.to(2)
        .writeIterable(() -> {
          left.close();
          return elements.iterator();
        });

    assertThat(right.readIterable()).isEqualTo(elements);
    assertThatThrownBy(() -> left.to(2).writeObject(1)).hasMessageContaining("closed");
  }
}
