package org.ringwire.engine.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.SendStatus;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.MessageType;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.engine.outbound.detached.LargeFrames;
import org.ringwire.engine.outbound.encoding.SlowEncoders;
import org.ringwire.engine.outbound.room.SendWindow;
import org.ringwire.engine.outbound.room.SpaceWaiters;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;

/** Who may not wait is told that it is worth to try again, and not before it is. */
@ExtendWith(NodeWatcher.class)
class NoticeTest {

  private static final int CAPACITY = 1 << 12;
  private static final long WINDOW = CAPACITY / 2;

  private final NativeMemory.Scope scope = NativeMemory.open("test");
  private final ReceiveBufferPool buffers = new ReceiveBufferPool(0);
  private final ControlQueue control = new ControlQueue();
  private final LargeFrames largeFrames = new LargeFrames(buffers, control, Long.MAX_VALUE);
  private final OutboundRing ring = OutboundRing.over(scope.allocate(CAPACITY, 128));
  private final OutboundStream stream = new OutboundStream(control, () -> new byte[0], buffers);
  private final SpaceWaiters waiters = new SpaceWaiters();
  private final OutboundPipe pipe =
      SinkLink.pipe(
          stream,
          waiters,
          new Flusher("not started", _ -> {}, _ -> {}),
          cause -> {
            throw new AssertionError(cause);
          });
  private final SendWindow window = new SendWindow();
  private final MessageCatalog catalog = new MessageCatalog();
  private final MessageSender sender = newSender();
  private final Lengthy lengthy = new Lengthy("x".repeat(CAPACITY));
  private final AtomicInteger told = new AtomicInteger();

  record Known(long number) {}

  record New(long number) {}

  record Lengthy(String text) {}

  private MessageSender newSender() {
    return new MessageSender(
        new OutboundParts(ring, pipe, stream, window, waiters, largeFrames),
        new SlowEncoders(Long.MAX_VALUE, new ErrorLog(0), catalog),
        1 << 20);
  }

  @BeforeEach
  void open() {
    stream.ring(ring);
    pipe.ring(ring);
    window.open(WINDOW);
    sender.announced(catalog.typeOf(Known.class).id());
    sender.announced(catalog.typeOf(Lengthy.class).id());
  }

  @AfterEach
  void close() {
    stream.close();
    buffers.close();
    scope.close();
  }

  @SuppressWarnings("unchecked") // the codec belongs to the class of the message
  private SendStatus trySend(MessageSender by, Object message, int kind) {
    MessageType<?> type = catalog.typeOf(message.getClass());
    return by.send(type, (Codec<Object>) type.codec(), message, kind, 0, Long.MIN_VALUE);
  }

  private SendStatus trySend(Object message, int kind) {
    return trySend(sender, message, kind);
  }

  private SendStatus trySend(Object message) {
    return trySend(message, FrameLayout.MESSAGE);
  }

  private boolean tryNotify() {
    return sender.tryNotify(() -> false, told::incrementAndGet);
  }

  /**
   * Else who asks after each refusal would try again and again, for as long as the ring is full.
   */
  @Test
  void shouldNotTellBeforeThereIsRoomForTheAnnouncementOfTheType() {
    assertThat(window.credit(0, 0, 1 << 20, 0)).isTrue();
    long length = Outgoing.occupied(FrameLayout.MESSAGE, Long.BYTES);
    for (long free = CAPACITY; free > length; free -= length) {
      assertThat(trySend(new Known(free))).isEqualTo(SendStatus.ACCEPTED);
    }
    assertThat(ring.hasRoom(length, length, window.granted())).as("for the message").isTrue();
    assertThat(trySend(new New(1))).isEqualTo(SendStatus.BACK_PRESSURED);
    assertThat(tryNotify()).as("to be told").isTrue();
    assertThat(told).hasValue(0);
    pipe.open(new SinkLink());
    assertThat(told).hasValue(1);
    assertThat(trySend(new New(1))).isEqualTo(SendStatus.ACCEPTED);
  }

  /** What another thread was refused may be a long message, whose grant never comes. */
  @Test
  void shouldTellOfRoomForWhatTheThreadWasRefusedWhateverAnotherWasRefusedSince() throws Exception {
    useUpCredit();
    Thread other = Thread.ofPlatform().start(() -> trySend(lengthy, FrameLayout.MESSAGE));
    other.join();
    assertThat(tryNotify()).as("to be told").isTrue();
    assertToldOfCredit();
  }

  /** As one that sends each message to several nodes, which are all full. */
  @Test
  void shouldTellOfRoomForWhatTheThreadWasRefusedThoughOthersHaveRefusedItSince() throws Exception {
    useUpCredit();
    for (int node = 0; node < 7; node++) {
      MessageSender another = newSender();
      another.announced(catalog.typeOf(Known.class).id());
      assertThat(trySend(another, new Known(node), FrameLayout.MESSAGE))
          .isEqualTo(SendStatus.BACK_PRESSURED);
    }
    Thread other = Thread.ofPlatform().start(() -> trySend(lengthy, FrameLayout.MESSAGE));
    other.join();
    assertThat(tryNotify()).as("to be told").isTrue();
    assertToldOfCredit();
  }

  @Test
  void shouldWaitForNoRequestThatFoundNoRoom() {
    useUpCredit();
    assertThat(trySend(lengthy, FrameLayout.REQUEST)).isEqualTo(SendStatus.BACK_PRESSURED);
    assertThat(tryNotify()).as("to be told").isTrue();
    assertToldOfCredit();
  }

  /** Its attempts make room for nobody but what they have taken themselves. */
  @Test
  void shouldNotKeepTryingWhatNeedsAGrantWhileAnotherWaitsToBeTold() {
    pipe.open(new SinkLink());
    assertThat(trySend(lengthy)).isEqualTo(SendStatus.BACK_PRESSURED);
    assertThat(tryNotify()).as("to be told").isTrue();
    MessageType<Lengthy> type = catalog.typeOf(Lengthy.class);
    Lengthy longer = new Lengthy("x".repeat(CAPACITY + 8));
    AtomicInteger attempts = new AtomicInteger();
    int many = 100;
    SendStatus status =
        sender.sendIfWanted(
            type,
            type.codec(),
            longer,
            FrameLayout.MESSAGE,
            0,
            System.nanoTime(),
            () -> attempts.incrementAndGet() == many);
    assertThat(status).isEqualTo(SendStatus.BACK_PRESSURED);
    assertThat(attempts).as("tries until it is over").hasValueLessThan(many);
    assertThat(told).as("there is no grant").hasValue(0);
  }

  private void useUpCredit() {
    long number = 0;
    while (trySend(new Known(number)) == SendStatus.ACCEPTED) {
      number++;
    }
    assertThat(ring.hasRoom(0, CAPACITY / 4, WINDOW)).as("it is the credit that lacks").isTrue();
  }

  private void assertToldOfCredit() {
    assertThat(told).hasValue(0);
    assertThat(window.credit(WINDOW, 0, 2 * WINDOW, WINDOW)).isTrue();
    waiters.signal();
    assertThat(told).hasValue(1);
  }
}
