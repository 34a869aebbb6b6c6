package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.await;

import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.RemoteHandlerException;
import org.ringwire.testing.NodeWatcher;

/** Channels that are closed one by one. */
@ExtendWith(NodeWatcher.class)
class ClosedChannelSystemTest {
  private static final long ASKED_NS = 800_000_000;

  private final TestChannels test = new TestChannels();

  @AfterEach
  void close() {
    test.close();
  }

  /** To a node that has gone, with graphs that nobody has read. */
  @ParameterizedTest
  @CsvSource({
    "loopback, false, false",
    "tcp, false, false",
    "loopback, true, false",
    "loopback, false, true",
    "loopback, true, true"
  })
  void shouldKeepNothingOfAClosedChannel(String transport, boolean isCarried, boolean areAll) {
    HeapChannels one = test.open(1, transport, isCarried ? test.left : null);
    WeakReference<HeapChannel> used = use(one, transport, isCarried);
    test.closeLast();

    if (areAll) {
      one.close();
    } else {
      one.to(2).close();
    }

    long deadlineNs = System.nanoTime() + TestChannels.PATIENCE.toNanos();
    while (used.get() != null && System.nanoTime() - deadlineNs < 0) {
      System.gc();
      Thread.onSpinWait();
    }
    assertThat(used.get()).isNull();
    assertThat(test.left.announcedBytes).hasValue(0);
    assertThat(one.to(2).isReadable()).isFalse();
  }

  private WeakReference<HeapChannel> use(HeapChannels one, String transport, boolean isCarried) {
    HeapChannel here = one.to(2);
    HeapChannel there = test.open(2, transport, isCarried ? test.right : null).to(1);
    here.writeObject(new Samples.Circle(1));
    there.writeObject(new Samples.Circle(2));
    there.writeObject(new long[1 << 16]);
    assertThat(((Samples.Circle) here.readObject()).radius()).isEqualTo(2);
    return new WeakReference<>(here);
  }

  @Test
  void shouldSayThatANodeHasChannelsAlready() {
    HeapCodec codec = HeapCodec.builder().build();
    try (Node node = Node.open(NodeConfig.builder(1).transport("loopback").build())) {
      HeapChannels channels = HeapChannels.of(node, codec);
      assertThatThrownBy(() -> channels.to(2).writeIterable((Iterable<?>) null))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("objects must not be null");
      assertThatThrownBy(() -> HeapChannels.of(node, codec))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("has heap channels already: nodeId=1");
      channels.close();
      assertThatThrownBy(() -> HeapChannels.of(node, codec))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("has heap channels already: nodeId=1");
    }
  }

  @Test
  void shouldBeginAnewWithBothSidesAfterOneHasClosed() {
    HeapChannels one = test.open(1);
    HeapChannel there = test.open(2).to(1);
    HeapChannel closed = one.to(2);
    closed.writeObject("one");
    there.writeObject("unread");

    closed.close();

    assertThat(closed.isReadable()).isFalse();
    assertThatThrownBy(() -> closed.writeObject("x")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(closed::readObject).isInstanceOf(IllegalStateException.class);
    HeapChannel begun = one.to(2);
    assertThat(begun).isNotSameAs(closed).isSameAs(one.to(2));
    there.writeObject("two");
    begun.writeObject("three");
    closed.close();
    assertThat(begun.readObject()).isEqualTo("two");
    assertThat(there.readObject()).isEqualTo("one");
    assertThat(there.readObject()).isEqualTo("three");
    assertThat(one.to(2)).isSameAs(begun);
  }

  @Test
  void shouldEndTheWaitsOfItsReadersAndNoOther() throws Exception {
    HeapChannels one = test.open(1);
    HeapChannel closed = one.to(2);
    CompletableFuture<Void> reading = ChannelSystemTest.start(closed::readObject);
    CompletableFuture<Void> other =
        ChannelSystemTest.start(() -> assertThat(one.to(3).readObject()).isEqualTo("other"));

    closed.close();

    assertThatThrownBy(() -> ChannelSystemTest.await(reading))
        .hasRootCauseInstanceOf(IllegalStateException.class);
    test.open(3).to(1).writeObject("other");
    ChannelSystemTest.await(other);
  }

  /** Its reader asks after a quarter of a second whether more will come. */
  @Test
  void shouldWriteAGraphToItsEndThoughItsChannelWasClosed() throws Exception {
    HeapChannels one = test.open(1);
    HeapChannel closed = one.to(2);
    HeapChannel there = test.open(2).to(1);
    Iterable<byte[]> slow = () -> Stream.of(0, 1, 2, 3).map(i -> element(closed, i)).iterator();
    CompletableFuture<Void> writing = ChannelSystemTest.start(() -> closed.writeIterable(slow));

    assertThat(there.readIterable()).hasSize(4);
    ChannelSystemTest.await(writing);

    HeapChannel begun = one.to(2);
    assertThat(begun).isNotSameAs(closed);
    begun.writeObject("next");
    assertThat(there.readObject()).isEqualTo("next");
  }

  private static byte[] element(HeapChannel closed, int index) {
    if (index == 2) {
      closed.close();
      long startNs = System.nanoTime();
      await("the reader has asked", () -> System.nanoTime() - startNs > ASKED_NS);
    }
    return new byte[8000]; // longer than a block
  }

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void shouldTellAWriterThatWaitsThatItsReceiverHasClosedTheChannel(
      boolean isCarried, boolean areAll) {
    HeapChannel writing = test.open(1, isCarried ? test.left : null).to(2);
    HeapChannels receiver = test.open(2, isCarried ? test.right : null);
    HeapChannel reading = receiver.to(1);
    CompletableFuture<Void> written =
        CompletableFuture.runAsync(() -> writing.writeObject(new int[8 << 20]));
    await("the writer waits for room", reading::isReadable);

    if (areAll) {
      receiver.close();
    } else {
      reading.close();
    }

    assertThatThrownBy(written::join)
        .hasRootCauseInstanceOf(RemoteHandlerException.class)
        .hasMessageContaining("the heap channel was closed");
  }

  /** A graph that is not encoded again, between two of its blocks. */
  @Test
  void shouldTellAWriterOfManyThatItsReceiverHasClosedAllChannels() {
    HeapChannel writing = test.open(1).to(2);
    HeapChannels receiver = test.open(2);
    receiver.to(1);
    Iterable<Object> objects =
        () -> IntStream.range(0, 3).mapToObj(index -> partOf(receiver, index)).iterator();
    assertThatThrownBy(() -> writing.writeIterable(objects))
        .isInstanceOf(GraphLostException.class)
        .hasMessageStartingWith("a graph is lost: nodeId=2: the stream has ended")
        .hasMessageContaining("the heap channel was closed");
  }

  private static Object partOf(HeapChannels receiver, int index) {
    if (index == 2) {
      receiver.close();
    }
    return new byte[600_000]; // longer than a block
  }
}
