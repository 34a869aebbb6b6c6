package org.ringwire.heap.channel.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.Exchange;
import org.ringwire.RetainedExchange;
import org.ringwire.heap.channel.ChannelMessages;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.OwnThreads;
import org.ringwire.heap.image.Decoder;
import org.ringwire.heap.image.Pool;
import org.ringwire.testing.NodeWatcher;

/** Blocks that lie in memory which their sender shares, and takes away. */
@ExtendWith(NodeWatcher.class)
class TakenMemoryTest {
  private static final int WINDOW = 1 << 20;
  private static final int LENGTH = 1 << 17;
  private static final int KEPT = 4096;
  private static final int GIVEN_UP = 2;
  private static final int LAST = 1;
  private static final String REASON = "its sender has taken its memory away";

  @TempDir private Path folder;
  private final Arena arena = Arena.ofShared();
  private final Exchange sender = new Sender();
  private final Inbox inbox =
      new Inbox(
          1,
          WINDOW,
          ChunkPool.of(KEPT, 1 << 20),
          _ -> decoder(),
          new NoDecoders(),
          new OwnThreads());
  private MemorySegment mapped = MemorySegment.NULL;

  private static final class NoDecoders extends Pool<Decoder> {
    @Override
    protected Decoder make() {
      return decoder();
    }
  }

  /** Sends messages, and is not told of them. */
  private static final class Sender implements Exchange {
    @Override
    public int source() {
      return 1;
    }

    @Override
    public boolean isRequest() {
      return false;
    }

    @Override
    public void reply(Object response) {
      // as the request that begins the stream is
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

  private static Decoder decoder() {
    throw new AssertionError("nobody reads");
  }

  @BeforeEach
  void map() throws IOException {
    Path file = folder.resolve("shared");
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH, arena);
      channel.truncate(KEPT);
    }
    inbox.open(new Open(1, ChannelMessages.VERSION), sender);
  }

  @AfterEach
  void close() {
    inbox.close();
    arena.close();
  }

  /** The error is told of to the node, whose link it is about, and with the lock to nobody. */
  private void expectTaken(Block block) {
    assertThatThrownBy(() -> inbox.block(block, sender)).isInstanceOf(InternalError.class);
    assertThat(Thread.holdsLock(inbox.lock())).isFalse();
    assertThat(inbox.streams().find(1)).isNull();
    assertThat(inbox.streams().whyNone(1)).endsWith(REASON);
  }

  @Test
  void shouldLoseTheGraphForTheRightReasonAndReleaseItsLock() {
    MemorySegment there = mapped.asSlice(0, KEPT / 2);
    MemorySegment gone = mapped.asSlice(LENGTH / 2, KEPT / 2);
    inbox.block(new Block(1, 1, 0, LAST, there, MemorySegment.NULL), sender);

    expectTaken(new Block(1, 2, 0, LAST, gone, MemorySegment.NULL));

    InboundGraph whole = inbox.graphs().first(System.nanoTime(), Duration.ZERO);
    assertThat(whole.isComplete).isTrue();
    inbox.release(Objects.requireNonNull(whole.pieces.poll()));
    inbox.discard(whole);
    InboundGraph lost = inbox.graphs().first(System.nanoTime(), Duration.ZERO);
    assertThat(lost.failure).isEqualTo(REASON);
    assertThat(inbox.window().room()).isEqualTo(WINDOW);
  }

  @Test
  void shouldEndTheStreamWhoseReasonIsGone() {
    MemorySegment gone = mapped.asSlice(LENGTH / 2, KEPT / 2);

    expectTaken(new Block(1, 1, 0, GIVEN_UP, gone, MemorySegment.NULL));
  }
}
