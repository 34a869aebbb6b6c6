package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ringwire.heap.ChannelSystemTest.await;
import static org.ringwire.heap.ChannelSystemTest.start;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.EncodingException;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.heap.Samples.Circle;
import org.ringwire.heap.Samples.Tree;
import org.ringwire.heap.channel.ChannelMessages.Announced;
import org.ringwire.heap.channel.ChannelMessages.HeapRequest;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;

/** Graphs whose blocks are written into memory of their receiver, by a carrier of the process. */
@ExtendWith(NodeWatcher.class)
class CarriedChannelSystemTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long NARROW = 1 << 18;
  private static final long NARROW_SEGMENT = NARROW / 4;
  private static final long WIDE_SEGMENT = 1 << 20;

  private final CarriedPair pair = new CarriedPair();
  private final MemoryCarrier left = pair.left;
  private final MemoryCarrier right = pair.right;

  @AfterEach
  void close() throws Exception {
    pair.close();
  }

  private HeapChannels channels(int id, ChannelOptions options, BlockCarrier carrier) {
    return pair.channels(id, options, carrier);
  }

  private HeapChannel one(ChannelOptions options) {
    return channels(1, options, left).to(2);
  }

  private HeapChannel two(ChannelOptions options) {
    return channels(2, options, right).to(1);
  }

  private static ChannelOptions options() {
    return ChannelOptions.DEFAULT.withTimeout(PATIENCE);
  }

  private static ChannelOptions narrow() {
    return options().withBlockBytes(4096).withWindowBytes(NARROW);
  }

  @Test
  void shouldCarryGraphsInBothDirections() throws Exception {
    HeapChannel one = one(options().withBlockBytes(4096));
    HeapChannel two = two(options().withBlockBytes(4096));
    CompletableFuture<Void> echo =
        start(() -> {
          for (int i = 0; i < 60; i++) {
            two.writeObject(two.readObject());
          }
        });
    for (int i = 0; i < 60; i++) {
      Object graph = i % 10 == 0 ? null : RandomGraphs.graph(i, 1 + i * i);
      one.writeObject(graph);
      assertThat(Graphs.difference(graph, one.readObject())).isNull();
    }
    await(echo);
    assertThat(left.blocks.get()).isGreaterThan(60);
    assertThat(right.blocks.get()).isGreaterThan(60);
  }

  /** Case (a) of the paper: there is memory, and nobody asks or waits. */
  @Test
  void shouldWriteWithoutAskingOrReadingAsLongAsThereIsMemory() {
    HeapChannel one = one(options());
    HeapChannel two = two(options());

    one.writeObject(new Circle(1));
    one.writeObject(new byte[(int) WIDE_SEGMENT / 4]);

    assertThat(right.announcements).hasValue(1);
    assertThat(two.isReadable()).isTrue();
    assertThat(((Circle) two.readObject(Duration.ofNanos(1))).radius()).isEqualTo(1);
    assertThat((byte[]) two.readObject(Duration.ofNanos(1))).hasSize((int) WIDE_SEGMENT / 4);
    assertThat(two.isReadable()).isFalse();
    assertThat(left.blockBytes.get()).isGreaterThan(WIDE_SEGMENT / 4);
  }

  /** Case (c): there is no memory, but there may be more, which is announced at once. */
  @Test
  void shouldAnnounceMoreForALargeGraphThoughNobodyReadsAndTakeItBack() {
    HeapChannel one = one(options());
    HeapChannel two = two(options());
    long[] graph = new long[1 << 20];

    one.writeObject(graph);

    int announced = right.announcements.get();
    assertThat(announced).isGreaterThanOrEqualTo(9);
    one.writeObject("next"); // an answer may have come late
    Awaiting.await(
        "given back",
        () -> right.announcedBytes.get() <= 3 * WIDE_SEGMENT); // final ones, and unused ones
    assertThat((long[]) two.readObject(Duration.ofNanos(1))).isEqualTo(graph);
  }

  /** Case (b): there is no memory, and there can be none until somebody reads. */
  @Test
  void shouldWaitForAReaderWhenNoMoreMayBeAnnounced() throws Exception {
    HeapChannel one = one(narrow());
    HeapChannel two = two(narrow());
    int[] graph = new int[1 << 20];
    graph[1 << 19] = 7;

    CompletableFuture<Void> writing = start(() -> one.writeObject(graph));
    Awaiting.await("a graph", two::isReadable);
    assertThat(writing).isNotDone();
    assertThat(left.blockBytes.get()).isLessThanOrEqualTo(NARROW);

    assertThat((int[]) two.readObject()).isEqualTo(graph);
    await(writing);
    assertThat(right.mostAnnouncedBytes.get()).isLessThanOrEqualTo(NARROW);
    assertThat(right.announcements.get()).isGreaterThan((1 << 22) / (int) NARROW_SEGMENT);
  }

  @Test
  void shouldCarryGraphsLongerThanAllMemoryTogether() throws Exception {
    HeapChannel one = one(narrow());
    HeapChannel two = two(narrow());
    Object[] cycle = {
      Tree.ofDepth(13), new double[200_000], "\u20ac".repeat(150_000), Samples.list(5000), null
    };
    cycle[4] = cycle;

    CompletableFuture<Void> writing =
        start(() -> {
          one.writeObject(cycle);
          one.writeIterable(cycle);
        });

    Object[] copy = (Object[]) two.readObject();
    assertThat(copy[4]).isSameAs(copy);
    assertThat(Graphs.difference(cycle, copy)).isNull();
    assertThat(Graphs.difference(Arrays.asList(cycle), two.readIterable())).isNull();
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
            if (i % 3 == 0) {
              handles.add(one.writeObjectAsync(new int[] {i}));
            } else {
              one.writeObject(new int[] {i});
            }
          }
          handles.forEach(one::waitHandle);
          assertThat(handles).allMatch(one::testHandle);
        });
    for (int i = 0; i < 10_000; i++) {
      assertThat((int[]) two.readObject()).containsExactly(i);
    }
    await(writing);
    assertThat(right.mostAnnouncedBytes.get()).isLessThanOrEqualTo(NARROW);
  }

  @Test
  void shouldEndTheWaitOfAWriterWhenItsChannelsAreClosed() {
    HeapChannels closing = channels(1, narrow(), left);
    HeapChannel two = two(narrow());
    CompletableFuture<Void> writing = start(() -> closing.to(2).writeObject(new int[1 << 20]));
    Awaiting.await("a graph", two::isReadable);
    closing.close();
    assertThatThrownBy(() -> await(writing)).hasRootCauseInstanceOf(IllegalStateException.class);
    assertThatThrownBy(two::readObject).hasMessageContaining("gave it up");
  }

  @Test
  void shouldEndTheWaitForAReaderAndGoOn() {
    HeapChannel one = one(narrow().withTimeout(Duration.ofSeconds(5)));
    HeapChannel two = two(narrow());
    two.writeObject("connects both");
    assertThat(one.readObject()).isEqualTo("connects both");

    assertThatThrownBy(() -> one.writeObject(new int[1 << 18]))
        .isInstanceOf(ChannelTimeoutException.class)
        .hasMessageContainingAll("has not read in time", "nodeId=2");
    assertThatThrownBy(two::readObject)
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining("gave it up");
    for (int i = 0; i < 20; i++) { // all of the memory is there again
      one.writeObject(new byte[1 << 16]);
      assertThat((byte[]) two.readObject()).hasSize(1 << 16);
    }
  }

  @Test
  void shouldGoOnAfterAGraphThatCannotBeSentThoughItsEndOvertakesIt() throws Exception {
    HeapChannel one = one(options().withBlockBytes(4096));
    HeapChannel two = two(options().withBlockBytes(4096));
    Object[] bad = {new Circle(1), new byte[10_000], Thread.currentThread()};
    CountDownLatch given = new CountDownLatch(1);
    left.beforeWrite =
        () -> {
          try {
            assertThat(given.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };

    assertThatThrownBy(() -> one.writeObject(bad)).isInstanceOf(EncodingException.class);
    given.countDown();
    one.writeObject(new Circle(2));

    assertThatThrownBy(two::readObject)
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining("java.lang.Thread");
    assertThat(((Circle) two.readObject()).radius()).isEqualTo(2);
  }

  @Test
  void shouldFailWhenABlockIsLostAndBeginAnew() {
    HeapChannel one = one(options());
    HeapChannel two = two(options());
    one.writeObject("before");
    left.beforeWrite =
        () -> {
          throw new MessagingException("the way is broken");
        };

    assertThatThrownBy(() -> one.writeObject("lost"))
        .isInstanceOf(MessagingException.class)
        .hasMessageContaining("the way is broken");
    WriteHandle handle = one.writeObjectAsync("lost, too");
    assertThatThrownBy(() -> one.waitHandle(handle))
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining("the way is broken");
    left.beforeWrite = () -> {};
    one.writeObject("after");

    assertThat(two.readObject()).isEqualTo("before");
    assertThat(two.readObject()).isEqualTo("after");
  }

  @Test
  void shouldLoseAGraphInTheMiddle() {
    HeapChannel one = one(options().withBlockBytes(4096));
    HeapChannel two = two(options().withBlockBytes(4096));
    left.beforeWrite =
        () -> {
          if (left.blocks.get() == 5) {
            throw new MessagingException("the way is broken");
          }
        };

    assertThatThrownBy(() -> one.writeObject(new byte[100_000]))
        .isInstanceOf(MessagingException.class);
    assertThatThrownBy(two::readObject).isInstanceOf(GraphLostException.class);
    left.beforeWrite = () -> {};
    one.writeObject("after");
    assertThat(two.readObject()).isEqualTo("after");
  }

  @Test
  void shouldRevokeMemoryWhenItIsFinal() {
    HeapChannel one = one(narrow());
    HeapChannel two = two(narrow());
    one.writeObject("first");
    assertThat(two.readObject()).isEqualTo("first");
    byte[] first = left.opened;
    while (Arrays.equals(first, left.opened)) {
      one.writeObject(new byte[2048]);
      assertThat(two.readObject()).isNotNull();
    }
    while (left.blockBytes.get() < NARROW_SEGMENT) {
      one.writeObject(new byte[2048]);
    }

    BlockCarrier.Target old = left.open(2, Objects.requireNonNull(first));
    Awaiting.await("revoked", () -> isRevoked(old));
    one.writeObject("last");
    Object read = two.readObject();
    while (!"last".equals(read)) {
      read = two.readObject();
    }
  }

  @Test
  void shouldEndTheStreamOfWhoWritesWhatIsNoBlock() {
    HeapChannel one = one(options());
    HeapChannel two = two(options());
    ThreadLocalRandom random = ThreadLocalRandom.current();
    byte[] rubbish = new byte[200];
    for (int i = 0; i < 200; i++) {
      one.writeObject("good " + i);
      assertThat(two.readObject()).isEqualTo("good " + i); // a block of one unit
      random.nextBytes(rubbish);
      BlockCarrier.Target target = left.open(2, Objects.requireNonNull(left.opened));
      long offset = i % 2 == 0 ? 64 : random.nextLong(2, (WIDE_SEGMENT - 200) / 64) * 64;
      target.write(offset, MemorySegment.ofArray(rubbish), (int) (offset / 64), PATIENCE);
      Awaiting.await("revoked", () -> isRevoked(target));
      Throwable refusal = catchThrowable(() -> one.writeObject("refused"));
      if (refusal == null) { // after a pause the writer has asked, and begun anew
        assertThat(two.readObject()).isEqualTo("refused");
      } else {
        assertThat(refusal).isInstanceOf(MessagingException.class).hasMessageContaining("revoked");
      }
    }
    assertThat(right.mostAnnouncedBytes.get()).isLessThanOrEqualTo(4 * WIDE_SEGMENT);
  }

  private static boolean isRevoked(BlockCarrier.Target target) {
    try {
      target.write(1L << 40, MemorySegment.ofArray(new byte[1]), 0, PATIENCE); // not in any memory
      return false;
    } catch (MessagingException e) {
      return e.getMessage().contains("revoked");
    }
  }

  /** What another process could do while a block is read: the worst is an exception. */
  @Test
  void shouldBearASenderThatChangesWhatIsBeingRead() throws Exception {
    HeapChannel one = one(options());
    HeapChannel two = two(options());
    Object graph = new Object[] {Samples.someOfAll(), Tree.ofDepth(8), Map.of("a", "b".repeat(50))};
    one.writeObject(graph);
    boolean[] isOver = new boolean[1];
    int rounds = 400;
    CompletableFuture<Void> changing =
        start(() -> {
          ThreadLocalRandom random = ThreadLocalRandom.current();
          byte[] change = new byte[1];
          for (int round = 0; round < rounds; round++) {
            try {
              one.writeObject(graph);
              BlockCarrier.Target target = left.open(2, left.opened);
              for (int i = 0; i < 20; i++) {
                change[0] = (byte) random.nextInt();
                target.write(
                    random.nextLong(WIDE_SEGMENT / 2),
                    MemorySegment.ofArray(change),
                    1 << 15,
                    PATIENCE);
              }
            } catch (MessagingException e) {
              isOver[0] = false; // revoked, and begun anew
            }
          }
          isOver[0] = true;
        });
    int whole = 0;
    while (!changing.isDone() || two.isReadable()) {
      try {
        Object _ = two.readObject(Duration.ofMillis(100));
        whole++;
      } catch (MessagingException e) {
        assertThat(e).hasMessageNotContaining("JVM");
      }
    }
    await(changing);
    assertThat(whole).isPositive();
  }

  @Test
  void shouldSendMessagesWhereTheOtherNodeHasNoSuchCarrier() {
    MemoryCarrier other = new MemoryCarrier(2, "another kind");
    pair.owns(other);
    HeapChannel one = one(options());
    HeapChannel two = channels(2, options(), other).to(1);

    one.writeObject("there");
    assertThat(two.readObject()).isEqualTo("there");
    two.writeObject("and back");
    assertThat(one.readObject()).isEqualTo("and back");

    assertThat(left.blocks).hasValue(0);
    assertThat(other.blocks).hasValue(0);
  }

  @Test
  void shouldRefuseMemoryOfAThirdNode() {
    MemoryCarrier liar = new MemoryCarrier(3);
    pair.owns(liar);
    HeapChannel one = one(options());
    HeapChannel _ = channels(2, options(), liar).to(1);

    assertThatThrownBy(() -> one.writeObject("secret"))
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining("announces no memory");
    assertThat(left.blocks).hasValue(0);
  }

  @Test
  void shouldSayWhyNoMemoryIsAnnounced() {
    right.isPoor = true;
    HeapChannel one = one(options());
    HeapChannel _ = two(options());

    assertThatThrownBy(() -> one.writeObject("x"))
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining("no memory may be locked");
  }

  @Test
  void shouldRevokeAllWhenTheReceiverIsClosedInTheMiddle() throws Exception {
    HeapChannel one = one(narrow());
    HeapChannels receiving = channels(2, narrow(), right);
    HeapChannel two = receiving.to(1);
    CompletableFuture<Void> writing = start(() -> one.writeObject(new int[1 << 20]));
    Awaiting.await("a graph", two::isReadable);

    receiving.close();

    assertThat(right.announcedBytes).hasValue(0);
    assertThatThrownBy(() -> await(writing)).hasRootCauseInstanceOf(MessagingException.class);
  }

  @Test
  void shouldAnnounceNoMoreThanTheWindowWhateverIsAskedFor() {
    Node asking = pair.node(1);
    two(narrow());
    asking.request(2, new Open(7, 1), Opened.class, PATIENCE);

    HeapRequest all = new HeapRequest(7, right.kind(), Long.MAX_VALUE, false, 0);
    Announced first = asking.request(2, all, Announced.class, PATIENCE);
    assertThat(first.offers()).hasSize((int) (NARROW / NARROW_SEGMENT));
    BlockCarrier.Target lost = left.open(2, first.offers().getFirst().descriptor());

    // Who asks again without having heard of them has missed the answer: they are revoked.
    HeapRequest again = new HeapRequest(7, right.kind(), 1, true, 0);
    Announced second = asking.request(2, again, Announced.class, PATIENCE);
    assertThat(second.offers()).hasSize(1);
    assertThat(isRevoked(lost)).isTrue();

    int known = second.offers().getFirst().number();
    HeapRequest more = new HeapRequest(7, right.kind(), NARROW, false, known);
    Awaiting.await(
        "announced", () -> asking.request(2, more, Announced.class, PATIENCE).offers().size() == 3);
    asking.request(2, new Open(8, 1), Opened.class, PATIENCE);
    Awaiting.await("all given back", () -> right.announcedBytes.get() == 0);
    assertThat(right.mostAnnouncedBytes.get()).isLessThanOrEqualTo(NARROW);
  }
}
