package org.ringwire.engine.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.await;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.engine.outbound.Flusher.Tick;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.engine.outbound.room.SpaceWaiters;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.ring.RingMemory;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.Threads;
import org.ringwire.wire.FrameLayout;

/** How often a pipe writes while its senders are busy; there is no flusher unless a test ticks. */
@ExtendWith(NodeWatcher.class)
class OutboundPipeTest {

  private static final int LENGTH = 64;
  private static final int LONG = 16 << 10;
  private static final long SOME_NS = TimeUnit.SECONDS.toNanos(10);

  private final CountingLink link = new CountingLink();
  private final NativeMemory.Scope scope = NativeMemory.open("test");
  private final ReceiveBufferPool buffers = new ReceiveBufferPool(0);
  private final OutboundRing ring = OutboundRing.over(scope.allocate(1 << 20, 128));
  private final OutboundPipe pipe = SinkLink.pipe(stream());

  /** After each offer somebody may do something. */
  private static final class CountingLink extends SinkLink {
    private Runnable afterOffer = () -> {};
    private int writes;
    private int offers;
    private boolean isBehind;

    @Override
    public boolean write(OutboundSource source) {
      writes++;
      return super.write(source) && !isBehind;
    }

    @Override
    protected void taken() {
      offers++;
      afterOffer.run();
    }
  }

  @BeforeEach
  void open() {
    pipe.ring(ring);
    pipe.open(link);
    while (ring.isEmpty()) {
      send(); // until one came so soon after the last write that it was left in the ring: a burst
    }
  }

  @AfterEach
  void close() {
    buffers.close();
    scope.close();
  }

  private OutboundStream stream() {
    return new OutboundStream(new ControlQueue(), () -> new byte[0], buffers);
  }

  private long claim() {
    return ring.tryClaim(LENGTH, Long.MAX_VALUE);
  }

  private void commit(long position) {
    ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, LENGTH));
    pipe.messageCommitted(position);
  }

  private void send() {
    commit(claim());
  }

  @Test
  void shouldNotTryToPassAnOpenFrameForEachMessage() {
    long open = claim();
    int before = link.writes;
    int thresholds = 4;
    for (long bytes = 0; bytes < thresholds * OutboundPipe.THRESHOLD; bytes += LENGTH) {
      send();
    }
    assertThat(link.writes - before).isBetween(1, thresholds);
    assertThat(ring.isEmpty()).isFalse();
    commit(open);
    assertThat(ring.pendingBytes()).isLessThan(OutboundPipe.THRESHOLD);
    pipe.tick(); // finds that senders have written a lot
    pipe.tick(); // and that now they do not
    assertThat(ring.isEmpty()).isTrue();
  }

  @Test
  void shouldNotWriteEachMessageThatComesDuringAWrite() {
    int[] others = {100};
    link.afterOffer =
        () -> {
          if (others[0]-- > 0) {
            send();
          }
        };
    int before = link.offers;
    for (long bytes = 0; bytes <= OutboundPipe.THRESHOLD; bytes += LENGTH) {
      send();
    }
    assertThat(link.offers - before).isBetween(1, 2);
    for (int tick = 0; tick < 200 && !ring.isEmpty(); tick++) {
      pipe.tick(); // one offer each
    }
    assertThat(ring.isEmpty()).isTrue();
    assertThat(others[0]).isNotPositive();
  }

  /** Memory of a peer that is gone, for instance, is an error of the JVM where it is accessed. */
  @Test
  void shouldEndTheLinkWhoseWriteEndsWithAnError() {
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    OutboundPipe failing = SinkLink.pipe(stream(), failures::add);
    InternalError error = new InternalError("on purpose");
    failing.open(
        new SinkLink() {
          @Override
          public boolean write(OutboundSource source) {
            throw error;
          }
        });
    failing.drain();
    assertThat(failures).containsExactly(error);
    assertThat(failing.tryRetire()).as("nobody is inside").isTrue();
  }

  /** Who tells of room may find no memory, when the medium has the role and another may take it. */
  @Test
  void shouldLeaveToTheMediumWhatItHasWhateverTellingOfRoomEndsWith() {
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    SpaceWaiters waiters = new SpaceWaiters();
    OutboundPipe full =
        SinkLink.pipe(
            stream(), waiters, new Flusher("not started", _ -> {}, _ -> {}), failures::add);
    long[] room = {LENGTH};
    try (NativeMemory.Scope fullScope = NativeMemory.open("test")) {
      OutboundRing fullRing = OutboundRing.over(fullScope.allocate(4096, 128));
      full.ring(fullRing);
      full.open(
          new SinkLink() {
            @Override
            protected long take(long bytes) {
              long taken = Math.min(bytes, room[0]);
              room[0] -= taken;
              return taken;
            }
          });
      OutOfMemoryError error = new OutOfMemoryError("on purpose");
      boolean[] due = new boolean[1];
      int[] told = new int[1];
      assertThat(
              waiters.tryNotify(
                  new SpaceWaiters.Notice(
                      () -> due[0],
                      () -> {
                        if (++told[0] == 1) {
                          throw error;
                        }
                      })))
          .isTrue();
      due[0] = true;
      for (int number = 0; number < 3; number++) {
        long position = fullRing.tryClaim(LENGTH, Long.MAX_VALUE);
        fullRing.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, LENGTH));
      }
      assertThatThrownBy(full::drain).isSameAs(error);
      assertThat(failures).isEmpty();
      room[0] = Long.MAX_VALUE;
      full.writable();
      assertThat(fullRing.isEmpty()).isTrue();
      assertThat(told[0]).as("told again").isEqualTo(2);
    }
  }

  @Test
  void shouldLeaveToTheFlusherWhatMayWait() {
    while (pipe.tick() != Tick.ENDED) {
      assertThat(ring.isEmpty()).isTrue();
    }
    int before = link.writes;
    for (int request = 0; request < 10; request++) {
      long position = claim();
      ring.commit(position, FrameLayout.header(FrameLayout.REQUEST, 0, LENGTH));
      SendContext context = SendContext.current();
      context.beginBatch();
      pipe.urgentCommitted(context, ring, position);
      context.endBatchLater(null);
    }
    assertThat(link.writes).isEqualTo(before);
    assertThat(ring.isEmpty()).isFalse();
    pipe.tick();
    assertThat(link.writes).as("one for all of them, and a look").isBetween(before + 1, before + 2);
    assertThat(ring.isEmpty()).isTrue();
  }

  @Test
  void shouldLeaveToAnotherOnlyWhatItLooksInto() throws InterruptedException {
    Flusher flusher = new Flusher("ringwire-0-flusher", _ -> {}, _ -> {});
    flusher.start();
    OutboundPipe other = SinkLink.pipe(stream(), new SpaceWaiters(), flusher, _ -> {});
    try (NativeMemory.Scope otherScope = NativeMemory.open("test")) {
      OutboundRing otherRing = OutboundRing.over(otherScope.allocate(4096, 128));
      other.ring(otherRing);
      other.open(new SinkLink());
      SendContext context = SendContext.current();
      context.beginBatch();
      request(context, pipe, ring);
      request(context, other, otherRing); // as a codec may make one while it encodes
      context.endBatchLater(pipe);
      await("the flusher", otherRing::isEmpty);
      assertThat(ring.isEmpty()).isFalse();
      pipe.drainLeft();
      assertThat(ring.isEmpty()).isTrue();
      await("nobody holds the role", other::tryRetire);
    } finally {
      flusher.close();
    }
  }

  /** The peer's link may be known before it is known that it carries our data as well. */
  @Test
  void shouldLeaveToTheFlusherWhatComesOnALinkThatWasFlushedBeforeItHadARing() throws Exception {
    Flusher flusher = new Flusher("ringwire-0-flusher", _ -> {}, _ -> {});
    flusher.start();
    OutboundPipe early = SinkLink.pipe(stream(), new SpaceWaiters(), flusher, _ -> {});
    try (NativeMemory.Scope earlyScope = NativeMemory.open("test")) {
      early.open(new SinkLink());
      early.drainLater();
      await("the flusher has nothing to do", flusher::isParked);
      OutboundRing earlyRing = OutboundRing.over(earlyScope.allocate(4096, 128));
      early.ring(earlyRing);
      for (int number = 0; number < 2; number++) { // the second one is left to the flusher
        long position = earlyRing.tryClaim(LENGTH, Long.MAX_VALUE);
        earlyRing.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, LENGTH));
        early.messageCommitted(position);
      }
      await("the flusher", earlyRing::isEmpty);
      await("nobody holds the role", early::tryRetire);
    } finally {
      flusher.close();
    }
  }

  /** Timers, and the flusher's ticks, look in vain all the time. */
  @Test
  void shouldCountWritesThatWroteSomething() {
    pipe.drain(); // what is in the ring since the beginning
    long before = pipe.writes();
    pipe.drain();
    assertThat(pipe.writes()).isEqualTo(before);
    commit(claim());
    pipe.drain();
    assertThat(pipe.writes()).isEqualTo(before + 1);
  }

  /** As encrypted links are, and those through a ring that the peer reads. */
  @Test
  void shouldCountWhatAMediumTookThatWasBehindWithIt() {
    pipe.drain(); // what is in the ring since the beginning
    long before = pipe.writes();
    link.isBehind = true;
    send();
    pipe.drain();
    assertThat(ring.pendingBytes()).isZero();
    link.isBehind = false;
    pipe.writable();
    assertThat(pipe.writes()).isEqualTo(before + 1);
  }

  /** Takes everything, and goes on reading the last that it has taken. */
  private static final class LateLink extends SinkLink {
    private final OutboundRanges ranges = new OutboundRanges(16);
    private long uncompleted;
    private int asked;

    @Override
    public boolean write(OutboundSource source) {
      source.completed(uncompleted);
      uncompleted = 0;
      for (long bytes = source.next(ranges); bytes > 0; bytes = source.next(ranges)) {
        source.sent(bytes);
        uncompleted += bytes;
      }
      return true;
    }

    @Override
    public boolean completesLate() {
      return true;
    }

    @Override
    public void tellOfCompletions() {
      asked++;
    }
  }

  @Test
  void shouldUseLittleOfTheRingOnALinkThatCompletesLate() {
    OutboundPipe late = SinkLink.pipe(stream());
    LateLink lateLink = new LateLink();
    try (NativeMemory.Scope lateScope = NativeMemory.open("test")) {
      OutboundRing lateRing = OutboundRing.over(lateScope.allocate(1 << 20, 128));
      late.ring(lateRing);
      late.open(lateLink);
      long greatest = 0;
      for (int number = 0; number < 100; number++) {
        long before = late.restartsAhead();
        long position = lateRing.tryClaim(LONG, Long.MAX_VALUE);
        greatest = Math.max(greatest, lateRing.offset(position));
        lateRing.commit(position, FrameLayout.header(FrameLayout.REQUEST, 0, LONG));
        late.awaitCompletions(before);
        assertThat(lateLink.asked).as("only after a restart").isEqualTo((int) (before & 1));
        lateLink.asked = 0;
        late.drain();
        late.awaitCompletions(before);
        long after = late.restartsAhead();
        assertThat(lateLink.asked).isEqualTo(after != before || (after & 1) != 0 ? 1 : 0);
        lateLink.asked = 0;
      }
      assertThat(late.restartsAhead()).isPositive();
      assertThat(greatest).isLessThan(8 * LONG);
    }
  }

  /** Who drains may have nothing to send, and make room all the same. */
  @Test
  void shouldWakeWhoWaitsForRoomThatALookAtTheMediumMakes() throws InterruptedException {
    SpaceWaiters waiters = new SpaceWaiters();
    OutboundPipe late =
        SinkLink.pipe(stream(), waiters, new Flusher("not started", _ -> {}, _ -> {}), _ -> {});
    try (NativeMemory.Scope lateScope = NativeMemory.open("test")) {
      OutboundRing lateRing = OutboundRing.over(lateScope.allocate(4096, 128));
      late.ring(lateRing);
      late.open(new LateLink());
      long position = lateRing.tryClaim(LENGTH, Long.MAX_VALUE);
      lateRing.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, LENGTH));
      late.drain();
      Threads threads = new Threads();
      AtomicBoolean roused = new AtomicBoolean();
      threads.start(() -> {
        SpaceWaiters.Wait wait = waiters.enter();
        waiters.attempt(wait);
        roused.set(waiters.await(wait, System.nanoTime() + SOME_NS));
        waiters.leave(wait);
      });
      await("the wait", () -> waiters.stalls().waiting() == 1);
      LockSupport.parkNanos(10_000_000); // not needed to pass: until it has parked
      late.drain();
      threads.join();
      assertThat(roused).isTrue();
    }
  }

  private static void request(SendContext context, OutboundPipe to, OutboundRing ring) {
    long position = ring.tryClaim(LENGTH, Long.MAX_VALUE);
    ring.commit(position, FrameLayout.header(FrameLayout.REQUEST, 0, LENGTH));
    to.urgentCommitted(context, ring, position);
  }

  @Test
  void shouldGiveBackTheMemoryOfARingThatRestsThoughTheLinkFails() {
    long scopes = NativeMemory.openScopes();
    OutboundRing resting =
        OutboundRing.resting(
            new RingMemory("resting", arena -> arena.allocate(8 * LONG, 64), 8 * LONG, () -> {}));
    OutboundPipe failing = SinkLink.pipe(stream());
    failing.ring(resting);
    failing.open(
        new SinkLink() {
          @Override
          public void ringRests() {
            throw new OutOfMemoryError("as if");
          }
        });
    long position = resting.tryClaim(LENGTH, Long.MAX_VALUE);
    resting.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, LENGTH));
    failing.drain();
    assertThatThrownBy(failing::rest).isInstanceOf(OutOfMemoryError.class);
    assertThat(NativeMemory.openScopes()).isEqualTo(scopes);
    assertThat(failing.isDrained()).isTrue(); // nobody holds the role
    resting.free();
  }
}
