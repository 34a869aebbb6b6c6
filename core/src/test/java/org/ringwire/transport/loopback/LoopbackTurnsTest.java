package org.ringwire.transport.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;
import static org.ringwire.transport.loopback.LoopTurns.LOOKS;
import static org.ringwire.transport.loopback.LoopbackTransports.awaitTasks;
import static org.ringwire.transport.loopback.LoopbackTransports.config;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.SlowHandlers;

/** Which thread hands over what is written: the one that writes, or the transport's. */
@ExtendWith(NodeWatcher.class)
class LoopbackTurnsTest {

  private static final int MUCH = 64 << 10;
  private static final int LITTLE = 4 << 10;

  private static final long LONG_NS = TimeUnit.MICROSECONDS.toNanos(100);
  private static final AtomicInteger NAMES = new AtomicInteger();

  private volatile boolean coreToSpare = true;
  private LoopbackTransport one;
  private LoopbackTransport two;
  private Arena arena;
  private String address;

  @BeforeEach
  void open() {
    LongPredicate spare = _ -> coreToSpare;
    one = LoopbackTransport.open(config(1), spare);
    two = LoopbackTransport.open(config(2), spare);
    arena = Arena.ofShared();
    address = "turns:" + NAMES.incrementAndGet();
  }

  @AfterEach
  void close() {
    one.close();
    two.close();
    arena.close(); // last: whoever handed over read it
  }

  @Test
  void shouldLeaveMuchToTheTransportOnceItTookASenderLong() throws Exception {
    Receiver receiver = new Receiver(LONG_NS);
    Sender sender = connect(receiver);
    for (int write = 0; write < LOOKS; write++) {
      assertThat(sender.write(MUCH, false)).isTrue();
      assertThat(receiver.thread).as("nobody knows yet how long").isSameAs(Thread.currentThread());
    }
    assertThat(sender.write(MUCH, false)).as("left to the transport").isFalse();
    sender.awaitSent();
    assertThat(receiver.thread).isSameAs(one.loop().thread());
    assertThat(receiver.bytes()).isEqualTo((LOOKS + 1) * MUCH);
  }

  @Test
  void shouldKeepWithTheSenderWhatSomebodyWaitsFor() throws Exception {
    Receiver receiver = new Receiver(LONG_NS);
    Sender sender = connect(receiver);
    for (int write = 0; write < 10; write++) {
      assertThat(sender.write(MUCH, true)).isTrue();
      assertThat(receiver.thread).isSameAs(Thread.currentThread());
    }
  }

  @Test
  void shouldKeepLittleWithTheSender() throws Exception {
    Receiver receiver = new Receiver(LONG_NS);
    Sender sender = connect(receiver);
    sender.look();
    for (int write = 0; write < 10; write++) {
      assertThat(sender.write(LITTLE, false)).isTrue();
      assertThat(receiver.thread).isSameAs(Thread.currentThread());
    }
  }

  @Test
  void shouldKeepAllWithTheSenderWithoutACoreToSpare() throws Exception {
    coreToSpare = false;
    Receiver receiver = new Receiver(LONG_NS);
    Sender sender = connect(receiver);
    for (int write = 0; write < 10; write++) {
      assertThat(sender.write(MUCH, false)).isTrue();
      assertThat(receiver.thread).isSameAs(Thread.currentThread());
    }
  }

  /** A sender that the scheduler has stopped meanwhile took long, which is true of few. */
  @Test
  void shouldKeepWithTheSenderWhatIsHandledQuickly() throws Exception {
    Receiver receiver = new Receiver(0);
    Sender sender = connect(receiver);
    int kept = 0;
    for (int write = 0; write < 1_000; write++) {
      if (sender.write(16 << 20, false)) {
        kept++;
      } else {
        sender.awaitSent();
      }
    }
    assertThat(kept).isGreaterThan(500);
  }

  /** Otherwise nobody would notice that handlers have become quick. */
  @Test
  void shouldLookAgainHowLongItTakes() throws Exception {
    Receiver receiver = new Receiver(LONG_NS);
    Sender sender = connect(receiver);
    int kept = 0;
    for (int write = 0; write < 200; write++) {
      if (sender.write(MUCH, false)) {
        kept++;
      } else {
        sender.awaitSent();
      }
    }
    assertThat(kept).isBetween(2 * LOOKS, 100);
  }

  @Test
  void shouldKeepWithTheSenderWhatComesWhileTheTransportHandlesAnotherLink() throws Exception {
    Receiver slow = new Receiver(LONG_NS);
    Sender first = connect(slow);
    first.look();
    Receiver receiver = new Receiver(LONG_NS);
    Sender second = connect(receiver);
    second.look();

    slow.hold = new CountDownLatch(1);
    assertThat(first.write(MUCH, false)).isFalse();
    for (int write = 0; write < 10; write++) {
      assertThat(second.write(MUCH, false)).isTrue();
      assertThat(receiver.thread).isSameAs(Thread.currentThread());
    }
    slow.hold.countDown();
    first.awaitSent();
  }

  @Test
  void shouldTurnToOtherTasksHoweverMuchIsLeftToIt() throws Exception {
    Sender sender = connect(new Receiver(LONG_NS));
    sender.look();
    sender.endless = true;
    assertThat(sender.write(MUCH, false)).isFalse();
    awaitTasks(one);
    awaitTasks(one);
    sender.endless = false;
    sender.awaitSent();
  }

  @Test
  void shouldTurnToOtherTasksHoweverMuchItWritesItself() throws Exception {
    Sender sender = connect(new Receiver(LONG_NS));
    sender.endless = true;
    one.loop().post(() -> sender.writeUnchecked(MUCH));
    awaitTasks(one);
    awaitTasks(one);
    sender.endless = false;
    sender.awaitSent();
  }

  /** Two links that both have more than enough: what was delegated, and what was posted. */
  @Test
  void shouldHandleWhatIsLeftToItWhileItWritesMuchItself() throws Exception {
    Receiver receiver = new Receiver(LONG_NS);
    Sender sender = connect(receiver);
    sender.look();
    Sender endless = connect(new Receiver(LONG_NS));
    endless.endless = true;
    one.loop().post(() -> endless.writeUnchecked(MUCH));
    assertThat(sender.write(MUCH, false)).isFalse();
    sender.awaitSent();
    assertThat(receiver.thread).isSameAs(one.loop().thread());
    endless.endless = false;
    endless.awaitSent();
  }

  /** What is left of the offer comes after what others want of it. */
  @Test
  void shouldTurnToOtherTasksWithinAnOfferThatIsHandledSlowly() throws Exception {
    Receiver receiver = new Receiver(0);
    Sender sender = connect(receiver);
    receiver.slow = true;
    CountDownLatch begun = new CountDownLatch(1);
    receiver.began = begun;
    one.loop().post(() -> sender.writeAll(MUCH));
    assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
    for (int task = 0; task < 5; task++) {
      int before = receiver.bytes();
      awaitTasks(one);
      assertThat(receiver.bytes() - before).isLessThan(MUCH / 2);
    }
    sender.awaitSent();
    assertThat(receiver.bytes()).isEqualTo(MUCH);
  }

  private Sender connect(Receiver receiver) throws IOException {
    String name = address + ":" + NAMES.incrementAndGet();
    two.stopListening();
    two.listen(name, _ -> receiver);
    Sender sender = new Sender(arena.allocate(16 << 20));
    one.connect(name, sender);
    Link link = sender.link();
    Link other = receiver.link();
    assertThat(link).isNotSameAs(other);
    return sender;
  }

  /** Takes a time for each piece, and says which thread it came from. */
  private static final class Receiver extends ProbeHandler {

    private final long takesNs;
    private final AtomicInteger bytes = new AtomicInteger();
    private volatile @Nullable Thread thread;
    private volatile @Nullable CountDownLatch hold;
    private volatile @Nullable CountDownLatch began;
    private volatile boolean slow;

    Receiver(long takesNs) {
      this.takesNs = takesNs;
    }

    @Override
    public void received(MemorySegment memory, long offset, long length) {
      CountDownLatch held = hold;
      if (held != null) {
        awaitQuietly(held);
      }
      long untilNs = System.nanoTime() + takesNs;
      while (takesNs > 0 && System.nanoTime() < untilNs) {
        Thread.onSpinWait();
      }
      CountDownLatch waited = began;
      if (waited != null) {
        waited.countDown();
      }
      if (slow) {
        SlowHandlers.pause(length);
      }
      thread = Thread.currentThread();
      bytes.addAndGet((int) length);
    }

    @Override
    public @Nullable ByteBuffer destination() {
      return null;
    }

    int bytes() {
      return bytes.get();
    }

    private static void awaitQuietly(CountDownLatch latch) {
      try {
        assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Offers so many bytes, or more and more; goes on when it is told to. */
  private static final class Sender extends ProbeHandler implements OutboundSource {

    private final MemorySegment memory;
    private final ByteBuffer buffer;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile boolean endless;
    private volatile boolean urgent;
    private volatile long left;

    Sender(MemorySegment memory) {
      this.memory = memory;
      buffer = memory.asByteBuffer();
    }

    boolean write(int bytes, boolean awaited) throws IOException {
      Link link = link();
      writing.lock();
      try {
        urgent = awaited;
        left = bytes;
        return link.write(this);
      } finally {
        writing.unlock();
      }
    }

    /** Has the link see how long its receiver takes. */
    void look() throws IOException {
      for (int write = 0; write < LOOKS; write++) {
        assertThat(write(MUCH, false)).isTrue();
      }
    }

    void writeUnchecked(int bytes) {
      try {
        assertThat(write(bytes, false)).as("stood back").isFalse();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    void writeAll(int bytes) {
      try {
        boolean _ = write(bytes, false);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    protected void resume() {
      Link link = link();
      writing.lock(); // the write that returned false may not have returned yet
      try {
        boolean _ = link.write(this);
      } catch (IOException e) {
        throw new AssertionError(e);
      } finally {
        writing.unlock();
      }
    }

    void awaitSent() {
      await("all is sent", () -> left <= 0);
    }

    @Override
    public boolean isUrgent() {
      return urgent;
    }

    @Override
    public long next(OutboundRanges ranges) {
      if (left > 0) {
        ranges.add(memory, buffer, 0, left);
      }
      return ranges.bytes();
    }

    @Override
    public void sent(long bytes) {
      left = endless ? MUCH : left - bytes;
    }

    @Override
    public void completed(long bytes) {}
  }
}
