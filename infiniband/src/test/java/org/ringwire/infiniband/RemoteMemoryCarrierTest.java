package org.ringwire.infiniband;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.infiniband.RemoteMemoryPair.PATIENCE;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.heap.BlockCarrier;
import org.ringwire.heap.ChannelOptions;
import org.ringwire.heap.ChannelTimeoutException;
import org.ringwire.heap.GraphLostException;
import org.ringwire.heap.HeapChannel;
import org.ringwire.heap.HeapChannels;
import org.ringwire.heap.WriteHandle;
import org.ringwire.infiniband.GraphNodes.Pair;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;

/** Graphs that are written into memory of their receiver, by the device. */
@Tag("rdma")
@ExtendWith(NodeWatcher.class)
class RemoteMemoryCarrierTest {
  private final GraphNodes nodes = new GraphNodes();

  @AfterEach
  void close() {
    nodes.close();
  }

  private HeapChannel one(ChannelOptions options) {
    return nodes.channels(1, options, true).to(2);
  }

  private HeapChannel two(ChannelOptions options) {
    return nodes.channels(2, options, true).to(1);
  }

  /** 64 KiB may wait, in segments of 16 KiB. */
  private static ChannelOptions narrow() {
    return GraphNodes.options().withBlockBytes(8192).withWindowBytes(1 << 16);
  }

  private static CompletableFuture<Void> start(Runnable work) {
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

  private static void await(CompletableFuture<Void> end) throws Exception {
    Object _ = end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static void assertSame(Pair[] expected, Object copy) {
    Pair[] pairs = (Pair[]) copy;
    assertThat(pairs).hasSameSizeAs(expected);
    for (int i = 0; i < pairs.length; i++) {
      assertThat(pairs[i].number).isEqualTo(expected[i].number);
      assertThat(pairs[i].word).isEqualTo(expected[i].word);
    }
  }

  @Tag("rdma-slice")
  @Test
  void shouldCarrySmallGraphsAndCyclesInBothDirections() {
    HeapChannel one = one(GraphNodes.options());
    HeapChannel two = two(GraphNodes.options());
    Pair pair = new Pair(7);
    pair.next = new Object[] {pair, "x"};

    one.writeObject(pair); // returns though nobody reads
    one.writeObject(null);
    Pair copy = (Pair) two.readObject();
    two.writeObject(copy);

    assertThat(((Object[]) copy.next)[0]).isSameAs(copy);
    assertThat(two.readObject()).isNull();
    assertThat(((Pair) one.readObject()).number).isEqualTo(7);
  }

  @Test
  void shouldCarryGraphsLongerThanAllMemoryTogether() throws Exception {
    HeapChannel one = one(narrow());
    HeapChannel two = two(narrow());
    Pair[] pairs = Pair.array(20_000);
    float[] floats = new float[100_000];
    floats[99_999] = 1.5f;

    CompletableFuture<Void> writing =
        start(() -> {
          one.writeObject(pairs);
          one.writeObject(floats);
          one.writeIterable(pairs);
        });

    assertSame(pairs, two.readObject());
    assertThat((float[]) two.readObject()).isEqualTo(floats);
    assertSame(pairs, two.readIterable().toArray(new Pair[0]));
    await(writing);
  }

  @Test
  void shouldCarryTenThousandGraphs() throws Exception {
    HeapChannel one = one(narrow());
    HeapChannel two = two(narrow());
    CompletableFuture<Void> writing =
        start(() -> {
          List<WriteHandle> handles = new ArrayList<>();
          for (int i = 0; i < 10_000; i++) {
            if (i % 10 == 0) {
              one.writeObject(new int[] {i});
            } else {
              handles.add(one.writeObjectAsync(new int[] {i}));
            }
          }
          handles.forEach(one::waitHandle);
        });
    for (int i = 0; i < 10_000; i++) {
      assertThat(((int[]) two.readObject())[0]).isEqualTo(i);
    }
    await(writing);
  }

  @Test
  void shouldCarryLargeGraphsInBothDirectionsAtOnce() throws Exception {
    HeapChannel one = one(GraphNodes.options());
    HeapChannel two = two(GraphNodes.options());
    Pair[] pairs = Pair.array(50_000);
    CompletableFuture<Void> back =
        start(() -> {
          two.writeObject(pairs);
          assertSame(pairs, two.readObject());
        });
    one.writeObject(pairs);
    assertSame(pairs, one.readObject());
    await(back);
  }

  @Test
  void shouldHoldBackWhoWritesToNobodyAndGoOn() throws Exception {
    HeapChannel one = one(narrow().withTimeout(Duration.ofSeconds(10)));
    HeapChannel two = two(narrow());

    CompletableFuture<Void> writing = start(() -> one.writeObject(new int[1 << 16]));
    Awaiting.await("a graph", two::isReadable);
    assertThat(writing).isNotDone();
    assertThat((int[]) two.readObject()).hasSize(1 << 16);
    await(writing);

    assertThatThrownBy(() -> one.writeObject(new int[1 << 16]))
        .isInstanceOf(ChannelTimeoutException.class);
    assertThatThrownBy(two::readObject).isInstanceOf(GraphLostException.class);
    one.writeObject("next");
    assertThat(two.readObject()).isEqualTo("next");
  }

  @Test
  void shouldRevokeWhatItHasAnnouncedWhenItIsClosedInTheMiddle() throws Exception {
    HeapChannel one = one(narrow());
    HeapChannels receiving = nodes.channels(2, narrow(), true);
    HeapChannel two = receiving.to(1);
    CompletableFuture<Void> writing = start(() -> one.writeObject(new int[1 << 18]));
    Awaiting.await("a graph", two::isReadable);

    receiving.close();

    assertThatThrownBy(() -> await(writing)).hasRootCauseInstanceOf(MessagingException.class);
  }

  @Test
  void shouldAnnounceOnlyToItsPeerAndUntilItIsRevoked() {
    Node node = nodes.add(RemoteMemoryPair.node(nodes.directory, 1));
    Node other = nodes.add(RemoteMemoryPair.node(nodes.directory, 2));
    RemoteMemoryCarrier from =
        new RemoteMemoryCarrier(nodes.add(RemoteMemory.of(node, RemoteMemoryConfig.DEFAULT)));
    RemoteMemoryCarrier to =
        new RemoteMemoryCarrier(nodes.add(RemoteMemory.of(other, RemoteMemoryConfig.DEFAULT)));
    MemorySegment memory = nodes.add(Arena.ofShared()).allocate(4096);
    CompletableFuture<Integer> told = new CompletableFuture<>();
    BlockCarrier.Announcement announced = to.announce(memory, (_, tag) -> told.complete(tag));
    assertThatThrownBy(() -> from.open(3, announced.descriptor()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> from.open(2, new byte[8]))
        .isInstanceOf(IllegalArgumentException.class);
    BlockCarrier.Target target = from.open(2, announced.descriptor());
    MemorySegment block = MemorySegment.ofArray(new byte[64]);
    target.write(64, block.fill((byte) 9), 5, PATIENCE);
    assertThat(told.join()).isEqualTo(5);
    assertThat(memory.asSlice(64, 64).mismatch(block)).isEqualTo(-1);
    announced.close();
    assertThatThrownBy(() -> target.write(0, block, 5, PATIENCE))
        .isInstanceOf(RemoteMemoryException.class);
  }

  @Test
  void shouldLoseTheGraphsOfAPeerThatIsKilledInTheMiddle() throws Exception {
    Process process = start(GraphProgram.class);
    try {
      HeapChannel one = nodes.channels(1, narrow(), true).to(3);
      BufferedReader output =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      nodes.directory.put(3, output.readLine());
      one.writeObject(nodes.directory.address(1));
      CompletableFuture<Void> writing = start(() -> one.writeObject(new int[1 << 20]));
      Awaiting.await("a graph", one::isReadable); // as much is here as there may be
      process.destroyForcibly();

      assertThatThrownBy(() -> await(writing)).hasCauseInstanceOf(MessagingException.class);
      assertThatThrownBy(one::readIterable).isInstanceOf(GraphLostException.class);
      nodes.directory.remove(3);
    } finally {
      process.destroyForcibly();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static Process start(Class<?> program) throws Exception {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElse("java"),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+DisplayVMOutputToStderr",
            "--enable-native-access=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            program.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Writes without end, and never reads. */
  static final class GraphProgram {

    private GraphProgram() {}

    /** Runs until it is killed. */
    public static void main(String... arguments) {
      NodeDirectory.Mutable directory = NodeDirectory.mutable();
      Node node = RemoteMemoryPair.node(directory, 3);
      HeapChannels channels =
          HeapChannels.of(
              node, GraphNodes.codec(), narrow(), new RemoteMemoryCarrier(RemoteMemory.of(node)));
      System.out.println(node.address());
      HeapChannel channel = channels.to(1);
      directory.put(1, (String) channel.readObject());
      Iterator<Object> endless = Stream.<Object>generate(() -> new Pair(1)).iterator();
      channel.writeIterable(() -> endless);
    }
  }
}
