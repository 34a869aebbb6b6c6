package org.ringwire.heap.channel.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Exchange;
import org.ringwire.RetainedExchange;
import org.ringwire.heap.BlockCarrier;
import org.ringwire.heap.channel.BlockFront;
import org.ringwire.heap.channel.CarriedBlock;
import org.ringwire.heap.channel.ChannelMessages;
import org.ringwire.heap.channel.ChannelMessages.Announced;
import org.ringwire.heap.channel.ChannelMessages.Arrived;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.HeapRequest;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Outcome;
import org.ringwire.heap.channel.ChannelMessages.Room;
import org.ringwire.heap.channel.ChannelMessages.Truncate;
import org.ringwire.heap.channel.ChannelMessages.Truncated;
import org.ringwire.heap.channel.OwnThreads;
import org.ringwire.testing.NodeWatcher;

/** What waits at a receiver until somebody reads it. */
@ExtendWith(NodeWatcher.class)
class InboxTest {
  private static final int LAST = 1;
  private static final int GIVEN_UP = 2;
  private static final String REASON = "x".repeat(2048);

  /** Of all reasons that are kept of a stream, or of graphs that wait. */
  private static final int MOST_CHARS = 1 << 16;

  /** Requests of one sender, whose answers are kept. */
  private static final class Answers implements Exchange {
    private final List<Object> replies = new ArrayList<>();

    @Override
    public int source() {
      return 1;
    }

    @Override
    public boolean isRequest() {
      return true;
    }

    @Override
    public void reply(Object response) {
      replies.add(response);
    }

    @Override
    public void fail(String reason) {
      throw new AssertionError(reason);
    }

    @Override
    public RetainedExchange retain() {
      throw new AssertionError("nothing has to wait");
    }
  }

  /** It is a hundred times what a small graph takes of the window. */
  @Test
  void shouldMakeNoDecoderOfAStreamThatNobodyReads() {
    NoDecoders none = new NoDecoders();
    Inbox inbox =
        new Inbox(
            1, 1 << 20, ChunkPool.of(4096, 1 << 20), _ -> none.make(), none, new OwnThreads());
    Answers answers = new Answers();
    MemorySegment image = MemorySegment.ofArray(new byte[1]);
    for (long stream = 1; stream <= 3; stream++) {
      inbox.open(new Open(stream, ChannelMessages.VERSION), answers);
      inbox.block(new Block(stream, 1, 0, LAST, image, MemorySegment.NULL), answers);
    }

    assertThat(answers.replies).hasSize(6);
    assertThat(inbox.isReadable()).isTrue();
    inbox.close();
  }

  private static Block givenUp(long graph, int blocks) {
    MemorySegment reason = MemorySegment.ofArray(REASON.getBytes(StandardCharsets.UTF_8));
    return new Block(1, graph, blocks, GIVEN_UP, reason, MemorySegment.NULL);
  }

  /** The window knows nothing of them. */
  @Test
  void shouldKeepLittleOfWhyGraphsWereGivenUpThatHaveNotCome() {
    NoDecoders none = new NoDecoders();
    Inbox inbox =
        new Inbox(
            1, 1 << 20, ChunkPool.of(4096, 1 << 20), _ -> none.make(), none, new OwnThreads());
    Answers answers = new Answers();
    inbox.open(new Open(1, ChannelMessages.VERSION), answers);
    InStream stream = Objects.requireNonNull(inbox.streams().find(1));
    for (long graph = 2; graph <= 1000; graph++) {
      inbox.block(givenUp(graph, 5), answers);
    }
    assertThat(stream.givenUpChars()).isPositive().isLessThanOrEqualTo(MOST_CHARS);

    inbox.open(new Open(2, ChannelMessages.VERSION), answers);
    assertThat(stream.givenUpChars()).isZero();
    inbox.close();
  }

  @Test
  void shouldKeepLittleOfWhyGraphsWereGivenUpThatNobodyReads() {
    NoDecoders none = new NoDecoders();
    Inbox inbox =
        new Inbox(
            1, 1 << 20, ChunkPool.of(4096, 1 << 20), _ -> none.make(), none, new OwnThreads());
    Answers answers = new Answers();
    inbox.open(new Open(1, ChannelMessages.VERSION), answers);
    MemorySegment image = MemorySegment.ofArray(new byte[1]);
    for (long graph = 1; graph <= 1000; graph++) {
      inbox.block(new Block(1, graph, 0, 0, image, MemorySegment.NULL), answers);
      inbox.block(givenUp(graph, 1), answers);
    }
    assertThat(inbox.graphs().givenUpChars()).isPositive().isLessThanOrEqualTo(MOST_CHARS);

    InboundGraph first = inbox.graphs().first(System.nanoTime() + 1, Duration.ZERO);
    assertThat(first.failure).endsWith(": " + REASON);
    InboundGraph graph = first;
    for (long number = 1; number < 1000; number++) {
      inbox.discard(graph);
      graph = inbox.graphs().first(System.nanoTime() + 1, Duration.ZERO);
    }
    assertThat(graph.failure).isEqualTo("its sender gave it up");
    assertThat(inbox.graphs().givenUpChars()).isZero();
    inbox.close();
  }

  /** Remembers the thread that ends its announcements. */
  private static final class WatchedCarrier implements BlockCarrier {
    private volatile @Nullable Thread revoker;

    @Override
    public String kind() {
      return "watched";
    }

    @Override
    public Announcement announce(MemorySegment memory, Listener listener) {
      return new Announcement() {
        @Override
        public byte[] descriptor() {
          return new byte[0];
        }

        @Override
        public void close() {
          revoker = Thread.currentThread();
        }
      };
    }

    @Override
    public Target open(int nodeId, byte[] descriptor) {
      throw new AssertionError("nothing is sent");
    }
  }

  /** That may take time, and a stream begins on a thread that reads from the network. */
  @Test
  void shouldNotRevokeMemoryOnTheThreadThatBeginsAStream() {
    NoDecoders none = new NoDecoders();
    Inbox inbox =
        new Inbox(
            1, 1 << 20, ChunkPool.of(4096, 1 << 20), _ -> none.make(), none, new OwnThreads());
    WatchedCarrier carrier = new WatchedCarrier();
    CarriedInbox carried =
        CarriedInbox.of(inbox, 1, 1 << 20, carrier, CarriedInbox.segments(1 << 20));
    Answers answers = new Answers();
    inbox.open(new Open(1, ChannelMessages.VERSION), answers);
    carried.request(new HeapRequest(1, carrier.kind(), 1, false, 0), answers);

    inbox.open(new Open(2, ChannelMessages.VERSION), answers);

    await("memory is revoked", () -> carrier.revoker != null);
    assertThat(carrier.revoker).isNotSameAs(Thread.currentThread());
    assertThat(answers.replies).hasSize(3);
    inbox.close();
  }

  /** Its sender may ask late: requests of it are not handled in the order in which they came. */
  @Test
  void shouldSayOfAGraphThatItHasArrivedThoughItsStreamHasEndedSince() {
    NoDecoders none = new NoDecoders();
    Inbox inbox =
        new Inbox(
            1, 1 << 20, ChunkPool.of(4096, 1 << 20), _ -> none.make(), none, new OwnThreads());
    Answers answers = new Answers();
    MemorySegment image = MemorySegment.ofArray(new byte[1]);
    inbox.open(new Open(1, ChannelMessages.VERSION), answers);
    inbox.block(new Block(1, 1, 0, LAST, image, MemorySegment.NULL), answers);
    inbox.block(new Block(1, 2, 0, 0, image, MemorySegment.NULL), answers);
    inbox.open(new Open(2, ChannelMessages.VERSION), answers);

    inbox.outcome(new Outcome(1, 1), answers);

    assertThat(answers.replies.getLast()).isInstanceOf(Arrived.class);
    KeptRequest lost = new KeptRequest(1, null, null);
    inbox.outcome(new Outcome(1, 2), lost);
    assertThat(lost.told()).isEqualTo("the stream has ended: its sender began anew");
    inbox.close();
  }

  /** Keeps what may be written into, and who is to be told of that. */
  private static final class KeepingCarrier implements BlockCarrier {
    private final List<MemorySegment> memory = new ArrayList<>();
    private final List<Listener> listeners = new ArrayList<>();

    /** Runs once. */
    private @Nullable Runnable whileAnnouncing;

    @Override
    public String kind() {
      return "keeping";
    }

    @Override
    public Announcement announce(MemorySegment segment, Listener listener) {
      memory.add(segment);
      listeners.add(listener);
      Runnable meanwhile = whileAnnouncing;
      whileAnnouncing = null;
      if (meanwhile != null) {
        meanwhile.run();
      }
      return new EmptyAnnouncement();
    }

    @Override
    public Target open(int nodeId, byte[] descriptor) {
      throw new AssertionError("nothing is sent");
    }
  }

  /** It is of the next graph: the sender was answered to the end of this one before. */
  @Test
  void shouldLetASenderWaitForRoomWhileTheLastOfAGraphComesThatItHasGivenUp() {
    NoDecoders none = new NoDecoders();
    int window = 1 << 16;
    Inbox inbox =
        new Inbox(1, window, ChunkPool.of(4096, window), _ -> none.make(), none, new OwnThreads());
    KeepingCarrier carrier = new KeepingCarrier();
    CarriedInbox carried =
        CarriedInbox.of(inbox, 1, window, carrier, CarriedInbox.segments(window));
    Answers answers = new Answers();
    inbox.open(new Open(1, ChannelMessages.VERSION), answers);
    carried.request(new HeapRequest(1, carrier.kind(), window, false, 0), answers);
    int length = 100;
    CarriedBlock.write(carrier.memory.getFirst(), new BlockFront(1, 0, 0), length);
    inbox.block(givenUp(1, 1), answers);
    KeptRequest next = new KeptRequest(1, null, null);
    carried.request(new HeapRequest(1, carrier.kind(), 1, true, 1 << 10), next);

    carrier.listeners.getFirst().written(1, CarriedBlock.tag(0));

    InboundGraph lost = inbox.graphs().first(System.nanoTime() + 1, Duration.ZERO);
    assertThat(lost.failure).endsWith(": " + REASON);
    assertThat(next.told()).isEmpty();
    assertThat(next.isClosed()).isFalse();
    inbox.close();
    assertThat(next.told()).isEqualTo("the heap channel was closed");
  }

  /** Else who asks before he reads would wait. */
  @Test
  void shouldNotBeReadableForAGraphThatNobodyWants() {
    NoDecoders none = new NoDecoders();
    int window = 1 << 16;
    Inbox inbox =
        new Inbox(1, window, ChunkPool.of(4096, window), _ -> none.make(), none, new OwnThreads());
    Answers answers = new Answers();
    inbox.open(new Open(1, ChannelMessages.VERSION), answers);
    MemorySegment image = MemorySegment.ofArray(new byte[1]);
    inbox.block(new Block(1, 1, 0, 0, image, MemorySegment.NULL), answers);
    KeptRequest asking = new KeptRequest(1, null, null);
    inbox.room(new Room(1, 2L * window, true), asking);
    assertThat(inbox.isReadable()).isTrue();

    inbox.discard(inbox.graphs().first(System.nanoTime() + 1, Duration.ZERO));

    assertThat(asking.isClosed()).as("answered").isFalse();
    assertThat(inbox.isReadable()).isFalse();
    inbox.close();
  }

  /** Else its notice would make it a graph of whoever says so. */
  @Test
  void shouldShowNoSenderWhatAnotherHasWrittenIntoTheSameMemory() {
    NoDecoders none = new NoDecoders();
    int window = 1 << 16;
    ChunkPool segments = CarriedInbox.segments(window);
    KeepingCarrier carrier = new KeepingCarrier();
    Answers answers = new Answers();
    for (int peer = 1; peer <= 2; peer++) {
      Inbox inbox =
          new Inbox(
              peer, window, ChunkPool.of(4096, window), _ -> none.make(), none, new OwnThreads());
      CarriedInbox carried = CarriedInbox.of(inbox, peer, window, carrier, segments);
      inbox.open(new Open(1, ChannelMessages.VERSION), answers);
      carried.request(new HeapRequest(1, carrier.kind(), 1, false, 0), answers);
      MemorySegment memory = carrier.memory.getLast();
      assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
      CarriedBlock.write(memory, new BlockFront(1, 0, 0), 100);
      carried.truncate(new Truncate(1, List.of(new Truncated(1, 0))), answers);
    }
    assertThat(carrier.memory.getLast()).isSameAs(carrier.memory.getFirst());
  }

  /** Else two senders could write into it, at least until the carrier takes it back. */
  @Test
  void shouldLetNobodyElseHaveMemoryThatIsStillBeingAnnouncedWhenItsStreamEnds() {
    NoDecoders none = new NoDecoders();
    int window = 1 << 16;
    ChunkPool segments = CarriedInbox.segments(window);
    KeepingCarrier carrier = new KeepingCarrier();
    Answers answers = new Answers();
    List<Inbox> inboxes = new ArrayList<>();
    List<CarriedInbox> carried = new ArrayList<>();
    for (int peer = 1; peer <= 3; peer++) {
      Inbox inbox =
          new Inbox(
              peer, window, ChunkPool.of(4096, window), _ -> none.make(), none, new OwnThreads());
      inboxes.add(inbox);
      carried.add(CarriedInbox.of(inbox, peer, window, carrier, segments));
      inbox.open(new Open(1, ChannelMessages.VERSION), answers);
    }
    HeapRequest request = new HeapRequest(1, carrier.kind(), 1, false, 0);
    carrier.whileAnnouncing =
        () -> {
          inboxes.getFirst().close();
          carried.get(1).request(request, answers);
        };

    carried.getFirst().request(request, answers);

    assertThat(carrier.memory).hasSize(2);
    assertThat(carrier.memory.getLast()).isNotSameAs(carrier.memory.getFirst());
    assertThat(answers.replies.getLast()).isEqualTo(new Announced(true, List.of()));
    carried.getLast().request(request, answers);
    assertThat(carrier.memory.getLast()).as("now").isSameAs(carrier.memory.getFirst());
    inboxes.forEach(Inbox::close);
  }

  /** What waits there is left to the collector, so there may be memory again. */
  @Test
  void shouldHaveMemoryWhenAnotherIsClosedThatHadItAll() {
    NoDecoders none = new NoDecoders();
    int length = 4096;
    List<Inbox> open = new ArrayList<>(); // that have all memory
    ChunkPool chunks = new ChunkPool(length, bytes -> memoryFor(open, bytes), () -> 0);
    Answers answers = new Answers();
    MemorySegment image = MemorySegment.ofArray(new byte[length]);
    Inbox first = new Inbox(1, 1 << 20, chunks, _ -> none.make(), none, new OwnThreads());
    Inbox second = new Inbox(2, 1 << 20, chunks, _ -> none.make(), none, new OwnThreads());
    first.open(new Open(1, ChannelMessages.VERSION), answers);
    first.block(new Block(1, 1, 0, LAST, image, MemorySegment.NULL), answers);
    open.add(first);
    second.open(new Open(1, ChannelMessages.VERSION), answers);
    KeptRequest refused = new KeptRequest(2, null, null);
    second.block(new Block(1, 1, 0, LAST, image, MemorySegment.NULL), refused);
    assertThat(refused.told()).contains("there was no memory");

    first.close();
    open.clear();
    second.open(new Open(2, ChannelMessages.VERSION), answers);
    second.block(new Block(2, 1, 0, LAST, image, MemorySegment.NULL), answers);

    assertThat(answers.replies.getLast()).isInstanceOf(Arrived.class);
    second.close();
  }

  /** Who has closed a channel may keep it. */
  @Test
  void shouldKeepNothingThatWasNotRead() {
    NoDecoders none = new NoDecoders();
    int window = 1 << 16;
    List<WeakReference<Object>> taken = new ArrayList<>();
    LongFunction<MemorySegment> allocator =
        bytes -> {
          MemorySegment memory = Arena.ofAuto().allocate(bytes, CarriedBlock.UNIT);
          taken.add(new WeakReference<>(memory.scope()));
          return memory;
        };
    Inbox inbox =
        new Inbox(
            1,
            window,
            new ChunkPool(4096, allocator, () -> 0),
            _ -> none.make(),
            none,
            new OwnThreads());
    KeepingCarrier carrier = new KeepingCarrier();
    CarriedInbox carried =
        CarriedInbox.of(inbox, 1, window, carrier, new ChunkPool(window / 4, allocator, () -> 0));
    Answers answers = new Answers();
    inbox.open(new Open(1, ChannelMessages.VERSION), answers);
    MemorySegment image = MemorySegment.ofArray(new byte[1]);
    inbox.block(new Block(1, 1, 0, LAST, image, MemorySegment.NULL), answers);
    carried.request(new HeapRequest(1, carrier.kind(), 1, false, 0), answers);
    CarriedBlock.write(carrier.memory.getFirst(), new BlockFront(2, 0, LAST), 100);
    carrier.listeners.getFirst().written(1, CarriedBlock.tag(0));
    assertThat(taken).hasSize(2);
    carrier.memory.clear();
    carrier.listeners.clear();

    inbox.close();

    try {
      await(
          "the collector has all of it",
          () -> {
            System.gc();
            return taken.stream().allMatch(memory -> memory.refersTo(null));
          });
    } finally {
      Reference.reachabilityFence(inbox);
      Reference.reachabilityFence(carried);
    }
  }

  private static MemorySegment memoryFor(List<Inbox> open, long bytes) {
    if (!open.isEmpty()) {
      throw new OutOfMemoryError("on purpose");
    }
    return Arena.ofAuto().allocate(bytes);
  }
}
