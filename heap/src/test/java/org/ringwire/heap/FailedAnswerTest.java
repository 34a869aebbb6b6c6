package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MemoryLimitException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.Check;
import org.ringwire.heap.channel.ChannelMessages.Granted;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.heap.channel.ChannelMessages.Room;
import org.ringwire.heap.channel.OwnThreads;
import org.ringwire.heap.channel.inbound.ChunkPool;
import org.ringwire.heap.channel.inbound.GraphReader;
import org.ringwire.heap.channel.inbound.Inbox;
import org.ringwire.heap.channel.inbound.KeptRequest;
import org.ringwire.heap.image.classes.DeclaredClasses;
import org.ringwire.testing.NodeWatcher;

/** A sender waits for room and cannot be answered: what becomes of who reads, and of the room. */
@ExtendWith(NodeWatcher.class)
class FailedAnswerTest {
  private static final int LAST = 1;
  private static final long STREAM = 7;
  private static final long WINDOW = 1 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int BLOCK = 4096;
  private static final Object FIRST = numbers(1); // some blocks, read one by one
  private static final Object SECOND = numbers(2);

  private final HeapCodec codec = HeapCodec.builder().build();
  private final Inbox inbox =
      new Inbox(
          2,
          WINDOW,
          ChunkPool.of(BLOCK, 1 << 20),
          _ -> codec.channelDecoder(_ -> List.of()),
          codec.decoders(),
          new OwnThreads());
  private final KeptRequest sender = new KeptRequest(2, null, null);
  private final Node node =
      Node.open(
          NodeConfig.builder(1)
              .transport("loopback")
              .listen("failed-answer-" + hashCode())
              .peers(NodeDirectory.mutable())
              .build());
  private final GraphReader reader = new GraphReader(node, 2, inbox, PATIENCE);

  private static List<Integer> numbers(int first) {
    return new ArrayList<>(IntStream.range(first, first + BLOCK).boxed().toList());
  }

  @BeforeEach
  void open() {
    inbox.open(new Open(STREAM, 1), sender);
    send(1, FIRST);
    send(2, SECOND);
  }

  @AfterEach
  void close() {
    inbox.close();
    node.close();
    assertThat(sender.told()).isEmpty();
  }

  private void send(int number, Object graph) {
    AtomicInteger index = new AtomicInteger();
    codec.channelEncoder(new DeclaredClasses()).stream(
        graph,
        BLOCK,
        (head, body, isLast) ->
            inbox.block(
                new Block(
                    STREAM,
                    number,
                    index.getAndIncrement(),
                    isLast ? LAST : 0,
                    head,
                    Objects.requireNonNullElse(body, MemorySegment.NULL)),
                sender));
    assertThat(index.get()).isGreaterThan(2);
  }

  /** How far the sender may go: what it has sent, and the room that there is. */
  private long granted() {
    inbox.check(new Check(STREAM), sender);
    return ((Granted) sender.replies().getLast()).granted();
  }

  private static void assertEndedUntold(KeptRequest waiting) {
    assertThat(waiting.isClosed()).isTrue();
    assertThat(waiting.told()).isEmpty();
  }

  private KeptRequest waitsForRoom(Throwable failure) {
    KeptRequest waiting = new KeptRequest(2, failure, null);
    inbox.room(new Room(STREAM, granted() + 1, true), waiting);
    return waiting;
  }

  @Test
  void shouldHandOutTheGraphThatWasRead() {
    KeptRequest poor = waitsForRoom(new MemoryLimitException("on purpose"));
    assertThat(reader.read(PATIENCE, false)).isEqualTo(FIRST);
    assertEndedUntold(poor);

    KeptRequest withoutHeap = waitsForRoom(new OutOfMemoryError("on purpose"));
    assertThat(reader.read(PATIENCE, false)).isEqualTo(SECOND);
    assertEndedUntold(withoutHeap);
  }

  /** Else its memory would be given to another channel while a graph lies in it. */
  @Test
  void shouldFreeABlockOnceWhateverTheAnswerEndsWith() {
    KeptRequest defective = waitsForRoom(new AssertionError("on purpose"));

    assertThatThrownBy(() -> reader.read(PATIENCE, false)).hasMessage("on purpose");
    assertEndedUntold(defective);
    assertThat(reader.read(PATIENCE, false)).isEqualTo(SECOND);

    inbox.open(new Open(STREAM + 1, 1), sender);
    assertThat(((Opened) sender.replies().getLast()).granted()).isEqualTo(WINDOW);
  }
}
