package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.CountingHandler;
import org.ringwire.transport.SlowHandlers;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.selector.LeaderResources;
import org.ringwire.transport.selector.LinkReader;
import org.ringwire.transport.selector.ReadBuffer;
import org.ringwire.transport.selector.SelectorEntry;
import org.ringwire.transport.selector.SelectorLoop;
import org.ringwire.transport.support.Gate;
import org.ringwire.transport.support.TransportThreads;
import org.ringwire.transport.support.TurnPace;

/** The real input over real memory and a real socket, with the threads' turns in a fixed order. */
@ExtendWith(NodeWatcher.class)
class ShmInputTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int LOOKS = 1_000;
  private static final TransportConfig CONFIG =
      new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, LIMIT);

  private final LeaderResources resources =
      new LeaderResources(new IdleStrategy(LIMIT.toNanos()), 0); // no leader parks here
  private final ReadBuffer loopBuffer = new ReadBuffer(0);
  private final SelectorLoop loop = SelectorLoop.start(CONFIG, "io", 0); // for signals only
  private final CountingHandler handler = new CountingHandler();
  private SharedFolder folder;
  private PeerFiles files;
  private Sides sides; // of the reader under test
  private OwnSide writer; // of its peer
  private PeerSide seen; // what the peer sees of the reader
  private SocketChannel peer;
  private SocketChannel channel;
  private DescriptorReader descriptors;
  private RingFiles rings;
  private LinkOutput output;
  private Completions completions;
  private LinkReader reader;
  private long published;

  @BeforeEach
  void connect() throws IOException {
    folder = SharedFolder.open();
    OwnSide own = OwnSide.create(folder);
    writer = OwnSide.create(folder);
    Path path = folder.resolve("pair");
    try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of(path));
      peer = SocketChannel.open(UnixDomainSocketAddress.of(path));
      channel = listener.accept();
    }
    files = new PeerFiles(CONFIG, folder);
    channel.configureBlocking(false);
    peer.configureBlocking(false);
    seen = OpenSide.in(folder, own.file());
    sides = new Sides(own, OpenSide.in(folder, writer.file()), files, path.getParent());
    Gate gate = new Gate();
    Doorbell bell = new Doorbell(channel);
    descriptors = new DescriptorReader(sides, bell, handler, gate::isClosing);
    rings = new RingFiles(folder);
    output = new LinkOutput(own, sides.peer(), rings, bell, 1 << 15);
    completions = new Completions(loop, own, output, handler);
    ShmInput input = new ShmInput(own, descriptors, bell, completions);
    reader = new LinkReader(resources, channel, input, gate, _ -> {});
    reader.open();
  }

  @AfterEach
  void disconnect() throws IOException {
    reader.close();
    peer.close();
    channel.close();
    resources.close();
    loopBuffer.close();
    descriptors.close();
    sides.close();
    seen.close();
    writer.close();
    SharedFolder.delete(folder.resolve("pair"));
    files.close();
    folder.close();
    loop.shutdown();
    assertThat(TransportThreads.awaitEnd(loop.thread(), LIMIT.toNanos())).isTrue();
  }

  /** Between the failure on the I/O thread and the end of the link, a thread comes to lead. */
  @Test
  void shouldHandNothingToAHandlerThatHasFailed() throws IOException {
    handler.refuse(true);
    publish(1);
    assertThatThrownBy(() -> reader.readOnLoop(loopBuffer, false)).hasMessage("refused");
    handler.refuse(false);
    publish(1);
    int[] looks = new int[1];
    assertThat(lead(() -> handler.calls() > 1 || ++looks[0] > LOOKS)).isTrue();
    assertThat(looks[0]).isGreaterThan(LOOKS);
    assertThat(reader.readOnLoop(loopBuffer, true)).isZero();
    assertThat(handler.calls()).isOne();
    assertThat(reader.hasFailed()).isTrue();
  }

  @Test
  void shouldHaveItselfRungForOnlyWhenNobodyLooks() throws IOException {
    assertThat(reader.restOnLoop()).isTrue();
    assertThat(seen.sleep() & 1).isOne();
    long[] asleep = {1};
    int[] looks = new int[1];
    assertThat(
            lead(() -> {
              asleep[0] = seen.sleep() & 1;
              return ++looks[0] > 1; // after the first look
            }))
        .isTrue();
    assertThat(asleep[0]).isZero();
    assertThat(seen.sleep() & 1).isOne(); // nobody leads any more
  }

  @Test
  void shouldLeaveToTheIoThreadWhatALeaderDoesNotRead() {
    boolean[] left = new boolean[1];
    boolean led =
        reader.lead(
            () -> {
              publish(8);
              return true; // before the first look
            },
            System.nanoTime() + LIMIT.toNanos(),
            () -> left[0] = true,
            () -> {});
    assertThat(led).isTrue();
    assertThat(left[0]).isTrue();
    assertThat(handler.bytes()).isZero();
  }

  @Test
  void shouldLeaveTheRestToTheIoThreadDuringASeries() throws IOException {
    reader.attend();
    assertThat(lead(() -> true)).isTrue();
    assertThat(seen.sleep() & 1).as("nobody is asked to ring").isZero();
    publish(8);
    assertThat(reader.isSeriesOver()).isTrue();
    assertThat(reader.restOnLoop()).as("there is something to read").isFalse();
    assertThat(reader.readOnLoop(loopBuffer, false)).isEqualTo(8);
    assertThat(lead(() -> true)).isTrue();
    assertThat(seen.sleep() & 1).as("leaders rest the link again").isOne();
  }

  /** Of which nobody is told: the peer is not asked to ring. */
  @Test
  void shouldLeaveToTheIoThreadWhatALeaderOfASeriesDoesNotRead() {
    reader.attend();
    int[] left = new int[1];
    for (int length = 0; length <= 8; length += 8) {
      int published = length;
      boolean led =
          reader.lead(
              () -> {
                if (published > 0) {
                  publish(published);
                }
                return true;
              },
              System.nanoTime() + LIMIT.toNanos(),
              () -> left[0]++,
              () -> {});
      assertThat(led).isTrue();
      assertThat(left[0]).isEqualTo(length / 8);
      assertThat(seen.sleep() & 1).as("nobody is asked to ring").isZero();
    }
  }

  @Test
  void shouldRestTheLinkItselfIfASeriesEndsWhileItLeads() {
    reader.attend();
    assertThat(lead(() -> reader.isSeriesOver())).isTrue();
    assertThat(seen.sleep() & 1).isOne();
  }

  @Test
  void shouldFindInputBeforeItRests() throws IOException {
    assertThat(reader.readOnLoop(loopBuffer, true)).isZero();
    publish(8);
    assertThat(reader.restOnLoop()).isFalse();
    assertThat(reader.readOnLoop(loopBuffer, false)).isEqualTo(8);
    assertThat(reader.restOnLoop()).isTrue();
  }

  @Test
  void shouldTellWhatItHasReadWhenThereIsNoMoreOrNobodyLooksAnyMore() throws IOException {
    publish(8);
    publish(8);
    assertThat(reader.readOnLoop(loopBuffer, false)).isEqualTo(16);
    assertThat(seen.consumed()).isZero(); // not while somebody may wait for what was read
    assertThat(reader.readOnLoop(loopBuffer, false)).isZero();
    assertThat(seen.consumed()).isEqualTo(2);
    publish(8);
    assertThat(reader.readOnLoop(loopBuffer, false)).isEqualTo(8);
    assertThat(reader.restOnLoop()).isTrue();
    assertThat(seen.consumed()).isEqualTo(3);
  }

  @Test
  void shouldTellWhatItHasReadWhileThereIsMore() throws IOException {
    for (int number = 0; number < 5; number++) {
      publish(4 << 10);
    }
    readUntil(20 << 10);
    assertThat(seen.consumed()).isEqualTo(4);
  }

  /** The writer asks to be rung after the reader has told, without a look, what it has read. */
  @Test
  void shouldRingForWriterThatWaitsOnceItFindsNoMore() throws IOException {
    for (int number = 0; number < 4; number++) {
      publish(4 << 10);
    }
    readUntil(16 << 10);
    assertThat(seen.consumed()).isEqualTo(4);
    writer.stall();
    assertThat(reader.readOnLoop(loopBuffer, false)).isZero();
    assertThat(peer.read(ByteBuffer.allocate(8))).isOne();
    assertThat(reader.restOnLoop()).isTrue();
    assertThat(peer.read(ByteBuffer.allocate(8))).isZero();
  }

  /**
   * The peer says what it has read, and is slow to look whether to ring: the writer has seen what
   * was read and waits again by then, and hears a ring that tells of nothing new.
   */
  @Test
  void shouldLetWriterTryAgainWhenItIsRungForTooEarly() throws IOException {
    assertThat(completions.stall(output.completed())).isFalse();
    long announced = seen.stall();
    assertThat(announced & 1).isOne();

    peer.write(ByteBuffer.allocate(1));
    assertThat(reader.readOnLoop(loopBuffer, true)).isZero();

    await("the writer goes on", () -> handler.writables() > 0);
    assertThat(seen.stall() & 1).isZero();
    assertThat(completions.stall(output.completed())).isFalse();
    assertThat(seen.stall() & 1).isOne();
    assertThat(seen.stall()).as("so the peer rings again").isNotEqualTo(announced);
  }

  /** Somebody may wait for room in the ring though the medium was not full. */
  @Test
  void shouldTellOfRoomWhenWhatWasWrittenLastIsCompleted() throws IOException {
    RangeSource source = new RangeSource();
    try (Arena ofRing = Arena.ofShared()) {
      source.offer(rings.allocate(ofRing, 1 << 16), 1000);
      assertThat(output.write(source)).isTrue();
      writer.consume(2); // the name of the ring, and the bytes
      completions.written();
      await("somebody is told", () -> handler.writables() > 0);
      assertThat(source.completed()).isEqualTo(1000);
    }
  }

  /** Somebody waits for room though the medium is not full, and nothing else looks for it. */
  @Test
  void shouldTellOfCompletionsWhenAskedTo() throws IOException {
    RangeSource source = new RangeSource();
    try (Arena ofRing = Arena.ofShared()) {
      source.offer(rings.allocate(ofRing, 1 << 16), 1000);
      assertThat(output.write(source)).isTrue();
      completions.signal(SelectorEntry.ROOM);
      await("the peer is asked to ring", () -> (seen.stall() & 1) != 0);
      assertThat(handler.writables()).isZero();

      writer.consume(2); // the name of the ring, and the bytes
      peer.write(ByteBuffer.allocate(1));
      assertThat(reader.readOnLoop(loopBuffer, true)).isZero();
      await("somebody is told", () -> handler.writables() == 1);
      assertThat(source.completed()).isEqualTo(1000);

      source.offer(rings.allocate(ofRing, 1 << 16), 500);
      assertThat(output.write(source)).isTrue();
      writer.consume(4);
      completions.signal(SelectorEntry.ROOM);
      await("somebody is told at once", () -> handler.writables() == 2);
      assertThat(source.completed()).isEqualTo(1500);

      completions.signal(SelectorEntry.ROOM);
      await("there was nothing to wait for", () -> handler.writables() == 3);
    }
  }

  /**
   * The I/O thread has taken an announcement back before the writer made it: so that stands, and is
   * rung for, and then the writer does wait.
   */
  @Test
  void shouldRingEachTimeAWriterAnnouncesThatItWaits() throws IOException {
    writer.unstall();
    for (int number = 0; number < 3; number++) {
      publish(8);
      writer.stall();
      assertThat(reader.readOnLoop(loopBuffer, false)).isEqualTo(8);
      assertThat(reader.readOnLoop(loopBuffer, false)).isZero();
      assertThat(peer.read(ByteBuffer.allocate(8))).isOne();
    }
  }

  @Test
  void shouldReadOnOverManyLaps() throws IOException {
    for (int number = 0; number < 3 * SideLayout.SLOTS; number++) {
      publish(8);
      assertThat(reader.readOnLoop(loopBuffer, false)).isEqualTo(8);
      assertThat(reader.readOnLoop(loopBuffer, false)).isZero(); // what is of the lap before
    }
    assertThat(handler.bytes()).isEqualTo(3L * SideLayout.SLOTS * 8);
  }

  /**
   * Nobody rings for a leader that looks, so that the I/O thread can watch the socket meanwhile.
   */
  @Test
  void shouldBeWatchedAgainWhileALeaderLooks() {
    boolean[] seen = new boolean[3];
    assertThat(
            lead(() -> {
              seen[0] = reader.disarm();
              seen[1] = reader.tryRearm();
              seen[2] = reader.isDisarmed();
              return true;
            }))
        .isTrue();
    assertThat(seen).containsExactly(true, true, false);
  }

  @Test
  void shouldReadBytesWithinADescriptor() throws IOException {
    writer.copyWithin(MemorySegment.ofArray(new byte[] {1, 2, 3}), 0, published, 3);
    writer.publish(published, SideLayout.word(published, SideLayout.WITHIN_ITSELF, 3));
    assertThat(reader.readOnLoop(loopBuffer, false)).isEqualTo(3);
    assertThat(handler.bytes()).isEqualTo(3);
  }

  /** The socket of a peer that is gone is looked at, also by a leader that spins. */
  @Test
  void shouldReadToTheEndOfAPeerThatIsGoneWhileALeaderSpins() throws IOException {
    publish(8);
    peer.close();
    assertThat(lead(() -> reader.isInputEnded())).isTrue();
    assertThat(reader.isInputEnded()).isTrue();
    assertThat(handler.bytes()).isEqualTo(8);
  }

  /** It wakes nobody for what it has left: that stays pending, whoever reads or rests next. */
  @Test
  void shouldEndATurnOfSlowHandlersWithinADescriptorAndReadOn() throws IOException {
    SlowHandlers.slowDown(handler);
    publish(32 << 10);
    publish(64);
    assertThat(reader.readOnLoop(loopBuffer, false)).isBetween(1L, (long) TurnPace.FIRST);
    for (int turn = 0; turn < 10; turn++) {
      assertThat(reader.readOnLoop(loopBuffer, false)).isBetween(1L, SlowHandlers.MOST_OF_A_TURN);
    }
    assertThat(reader.restOnLoop()).as("there is something to read").isFalse();
    assertThat(seen.consumed()).as("what is begun is the peer's to keep").isZero();
    boolean[] left = new boolean[1];
    long before = handler.bytes();
    boolean led =
        reader.lead(
            () -> handler.bytes() > before,
            System.nanoTime() + LIMIT.toNanos(),
            () -> left[0] = true,
            () -> {});
    assertThat(led).isTrue();
    assertThat(left[0]).as("the I/O thread reads what the leader has left").isTrue();
    assertThat(handler.bytes() - before).isLessThanOrEqualTo(SlowHandlers.MOST_OF_A_TURN);
    handler.eachTime(() -> {});
    readUntil((32 << 10) + 64);
    assertThat(reader.restOnLoop()).isTrue();
    assertThat(seen.consumed()).isEqualTo(2);
  }

  /** Each of them is little, but together they may be much. */
  @Test
  void shouldEndATurnOfManyShortDescriptorsInTime() throws IOException {
    SlowHandlers.slowDown(handler);
    for (int number = 0; number < SideLayout.SLOTS; number++) {
      publish(64);
    }
    int turns = 0;
    while (handler.bytes() < 64 * SideLayout.SLOTS) {
      assertThat(reader.readOnLoop(loopBuffer, false)).isBetween(1L, (long) TurnPace.FIRST);
      turns++;
    }
    assertThat(turns).isGreaterThan(5);
  }

  @Test
  void shouldReadAllOfAPeerThatIsGoneThoughHandlersAreSlow() throws IOException {
    SlowHandlers.slowDown(handler);
    publish(8 << 10);
    publish(8 << 10);
    peer.close();
    while (!reader.isInputEnded()) {
      assertThat(reader.readOnLoop(loopBuffer, true)).isBetween(1L, (long) TurnPace.FIRST);
    }
    assertThat(handler.bytes()).isEqualTo(16 << 10);
  }

  /** In as many turns as it takes: this thread may be stopped in each. */
  private void readUntil(long bytes) {
    await(
        "all is read",
        () -> {
          try {
            long _ = reader.readOnLoop(loopBuffer, false);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
          return handler.bytes() == bytes;
        });
  }

  /** It has closed its socket, and keeps its memory. */
  @Test
  void shouldEndThoughAPeerThatIsGoneWritesOn() throws IOException {
    int many = 100 * SideLayout.SLOTS;
    handler.eachTime(() -> {
      if (published < many) {
        publish(8);
      }
    });
    publish(8);
    peer.close();
    while (!reader.isInputEnded()) { // in one turn, unless this thread is stopped meanwhile
      assertThat(reader.readOnLoop(loopBuffer, true)).isPositive();
    }
    assertThat(handler.calls()).isLessThan(many);
  }

  private boolean lead(BooleanSupplier done) {
    return reader.lead(done, System.nanoTime() + LIMIT.toNanos(), () -> {}, () -> {});
  }

  private void publish(int length) {
    writer.describe(published, 0);
    writer.publish(published, SideLayout.word(published, SideLayout.COPIED, length));
    published++;
  }
}
