package org.ringwire.engine.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MemoryLimitException;
import org.ringwire.SendStatus;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.MessageType;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.engine.outbound.detached.LargeFrames;
import org.ringwire.engine.outbound.encoding.SlowEncoders;
import org.ringwire.engine.outbound.room.SendWindow;
import org.ringwire.engine.outbound.room.SpaceWaiters;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;

/** Long frames that are encoded and then find no place beside the ring. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("encoded apart from now on")
class DetachedFramesTest {

  private static final int LENGTH = 1 << 17;

  private final NativeMemory.Scope scope = NativeMemory.open("test");
  private final ReceiveBufferPool buffers = new ReceiveBufferPool(0);
  private final ControlQueue control = new ControlQueue();
  private final LargeFrames largeFrames = new LargeFrames(buffers, control, Long.MAX_VALUE);
  private final OutboundRing ring = OutboundRing.over(scope.allocate(1 << 16, 128));
  private final OutboundStream stream = new OutboundStream(control, () -> new byte[0], buffers);
  private final OutboundPipe pipe = SinkLink.pipe(stream);
  private final SendWindow window = new SendWindow();
  private final MessageCatalog catalog = new MessageCatalog();
  private final MessageType<?> type = catalog.typeOf(Block.class);
  private final SlowEncoders slowEncoders =
      new SlowEncoders(Long.MAX_VALUE, new ErrorLog(0), catalog);
  private final MessageSender sender =
      new MessageSender(
          new OutboundParts(ring, pipe, stream, window, new SpaceWaiters(), largeFrames),
          slowEncoders,
          1 << 20);

  private long offered; // as a peer's credit would find it while the link has the frame
  private boolean full;

  private final Block block = new Block("x".repeat(LENGTH));

  record Block(String text) {}

  @BeforeEach
  void open() {
    stream.ring(ring);
    pipe.ring(ring);
    pipe.open(
        new SinkLink() {
          @Override
          protected long take(long bytes) {
            offered = ring.chargedBytes() - stream.unofferedBytes();
            return full ? 0 : bytes;
          }
        });
    sender.announced(type.id());
  }

  @AfterEach
  void close() {
    stream.close();
    buffers.close();
    scope.close();
  }

  @SuppressWarnings("unchecked") // the codec belongs to the class of the message
  private Codec<Block> codec() {
    return (Codec<Block>) type.codec();
  }

  private SendStatus send() {
    return send(codec());
  }

  private SendStatus send(Codec<Block> codec) {
    return sender.send(
        SendContext.current(), type, codec, block, FrameLayout.MESSAGE, 0, Long.MIN_VALUE);
  }

  /** As it is also for want of heap. */
  private void failToKeep() {
    stream.close();
    assertThatThrownBy(this::send).isInstanceOf(IllegalStateException.class);
    pipe.drain();
    assertThat(ring.isEmpty()).as("nothing keeps what is behind it").isTrue();
    assertThat(ring.chargedBytes()).isZero();
    assertThat(largeFrames.inFlightBytes()).isZero();
    assertThat(buffers.outstanding()).isZero();
  }

  @Test
  void shouldGiveBackPlaceAndCreditOfAFrameThatIsNotKept() {
    window.open(1 << 20);
    failToKeep();
  }

  @Test
  void shouldGiveBackTheGrantOfAFrameThatIsNotKept() {
    window.open(1 << 10);
    assertThat(send()).isEqualTo(SendStatus.BACK_PRESSURED);
    long token = 1;
    assertThat(largeFrames.granted(token)).isNull();
    failToKeep();
    long occupied = Outgoing.occupied(FrameLayout.MESSAGE, codec().length(block));
    assertThat(largeFrames.tryTakeGrant(occupied)).isEqualTo(token);
  }

  /** A peer may have read it, and credited it, before the link says that it was sent. */
  @Test
  void shouldCountAChargedFrameAsOfferedBeforeTheLinkHasIt() {
    window.open(1 << 20);
    long occupied = Outgoing.occupied(FrameLayout.MESSAGE, codec().length(block));
    full = true;
    assertThat(send()).isEqualTo(SendStatus.ACCEPTED);
    assertThat(offered).isEqualTo(occupied);
    assertThat(send()).isEqualTo(SendStatus.ACCEPTED);
    assertThat(stream.unofferedBytes()).as("which no peer can have").isEqualTo(occupied);
    full = false;
    pipe.writable();
    assertThat(offered).isEqualTo(2 * occupied);
    assertThat(stream.unofferedBytes()).isZero();
  }

  /** It may be what the receiver lacks memory for, too, to answer or to send as much here. */
  @Test
  void shouldGiveBackAGrantThatItHasNoMemoryToUse() {
    window.open(1 << 10);
    assertThat(send()).isEqualTo(SendStatus.BACK_PRESSURED);
    assertThat(largeFrames.granted(1)).isNull();
    long before = stream.bytesSent();
    failForWantOfMemory();
    assertThat(stream.bytesSent() - before).isEqualTo(ControlFrames.ANNOUNCE_LENGTH);
    assertThat(send()).as("asks again").isEqualTo(SendStatus.BACK_PRESSURED);
    assertThat(largeFrames.granted(2)).isNull();
    assertThat(send()).isEqualTo(SendStatus.ACCEPTED);
  }

  /** Else it would lie there for long, with memory of the receiver. */
  @Test
  void shouldGiveBackAGrantThatComesAfterItHadNoMemoryToUseIt() {
    window.open(1 << 10);
    assertThat(send()).isEqualTo(SendStatus.BACK_PRESSURED);
    failForWantOfMemory();
    long before = stream.bytesSent();
    assertThat(largeFrames.granted(1)).isNull();
    pipe.drain();
    assertThat(stream.bytesSent() - before).isEqualTo(ControlFrames.ANNOUNCE_LENGTH);
    assertThat(send()).as("asks again").isEqualTo(SendStatus.BACK_PRESSURED);
    assertThat(largeFrames.granted(2)).isNull();
    assertThat(send()).isEqualTo(SendStatus.ACCEPTED);
  }

  @Test
  void shouldKeepAGrantThatItHadNoMemoryToUseForWhoHasAskedAgain() {
    window.open(1 << 10);
    assertThat(send()).isEqualTo(SendStatus.BACK_PRESSURED);
    failForWantOfMemory();
    long before = stream.bytesSent();
    assertThat(send()).isEqualTo(SendStatus.BACK_PRESSURED);
    assertThat(largeFrames.granted(1)).isNull();
    pipe.drain();
    assertThat(stream.bytesSent()).as("neither announced again nor given back").isEqualTo(before);
    assertThat(send()).isEqualTo(SendStatus.ACCEPTED);
  }

  /** As many may encode at the same time, before any of them has room. */
  @Test
  void shouldNotEncodeApartWhatItHasNoMemoryFor() {
    window.open(1 << 10);
    assertThat(send()).isEqualTo(SendStatus.BACK_PRESSURED);
    assertThat(largeFrames.granted(1)).isNull();
    slowEncoders.add(type.id(), "peer", true, System.nanoTime());
    long before = stream.bytesSent();
    failForWantOfMemory(
        new Codec<>() {
          @Override
          public int length(Block message) {
            return codec().length(message);
          }

          @Override
          public void encode(Block message, Writer writer) {
            throw new AssertionError("encoded");
          }

          @Override
          public Block decode(Reader reader) {
            return codec().decode(reader);
          }
        });
    assertThat(stream.bytesSent() - before)
        .as("the grant")
        .isEqualTo(ControlFrames.ANNOUNCE_LENGTH);
  }

  private void failForWantOfMemory() {
    failForWantOfMemory(codec());
  }

  private void failForWantOfMemory(Codec<Block> codec) {
    MemoryBudget.limit(MemoryBudget.committed());
    try {
      assertThatThrownBy(() -> send(codec)).isInstanceOf(MemoryLimitException.class);
    } finally {
      MemoryBudget.limit(Long.MAX_VALUE);
    }
  }
}
