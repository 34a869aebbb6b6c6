package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;

/** A ring that gives its memory back while nothing is in it. */
@ExtendWith(NodeWatcher.class)
class RestingRingTest {

  private static final int CAPACITY = 4096;
  private static final int LENGTH = 24;
  private static final int BURST = 250;
  private static final int PATIENCE_SECONDS = 30;
  private static final long UNLIMITED = Long.MAX_VALUE;

  private final RingMemory source = newSource();
  private final OutboundRing ring = OutboundRing.resting(source);
  private long rests;

  @AfterEach
  void close() {
    source.close();
  }

  private static RingMemory newSource() {
    return new RingMemory(
        "ring of a test", arena -> arena.allocate(CAPACITY, 64), CAPACITY, () -> {});
  }

  @Test
  void shouldBeginAtRestWhereThereIsNoMemory() {
    MemoryBudget.limit(MemoryBudget.committed());
    RingMemory poor = newSource();
    try {
      OutboundRing late = OutboundRing.resting(poor);
      assertThat(late.isResting()).isTrue();
      assertThat(late.capacity()).isEqualTo(CAPACITY);
      assertThat(late.tryClaim(LENGTH, UNLIMITED)).isNegative();
      assertThat(late.consumer().scan(UNLIMITED)).isZero();
      MemoryBudget.limit(Long.MAX_VALUE);
      assertThat(late.tryClaim(LENGTH, UNLIMITED)).isZero();
      assertThat(late.isResting()).isFalse();
      late.commit(0, FrameLayout.header(FrameLayout.MESSAGE, 7, LENGTH));
      assertThat(late.consumer().scan(UNLIMITED)).isEqualTo(LENGTH);
    } finally {
      MemoryBudget.limit(Long.MAX_VALUE);
      poor.close();
    }
  }

  /** The first who gives memory back seldom gives enough. */
  @Test
  void shouldBeToldOfMemoryAsLongAsItLacksSome() {
    AtomicInteger told = new AtomicInteger();
    long length = 1 << 20;
    MemoryBudget.limit(MemoryBudget.committed());
    RingMemory poor =
        new RingMemory(
            "ring of a test", arena -> arena.allocate(length, 64), length, told::incrementAndGet);
    try {
      OutboundRing late = OutboundRing.resting(poor);
      for (int piece = 1; piece < 4; piece++) {
        assertThat(late.hasRoom(LENGTH, LENGTH, UNLIMITED)).isFalse();
        MemoryBudget.limit(MemoryBudget.committed() + 8);
        assertThat(told).as("pieces that came back").hasValue(piece);
      }
      assertThat(late.hasRoom(LENGTH, LENGTH, UNLIMITED)).isFalse();
      MemoryBudget.limit(Long.MAX_VALUE);
      assertThat(told).hasValue(4);
      assertThat(late.hasRoom(LENGTH, LENGTH, UNLIMITED)).isTrue();
    } finally {
      MemoryBudget.limit(Long.MAX_VALUE);
      poor.close();
    }
  }

  private boolean rest() {
    try (NativeMemory.Scope unused = ring.rest()) {
      rests += unused == null ? 0 : 1;
      return unused != null;
    }
  }

  private void write(long position, long word, int kind) {
    FrameLayout.writeWord(ring.memory(), ring.offset(position) + 8, word);
    FrameLayout.writeWord(ring.memory(), ring.offset(position) + 16, ~word);
    ring.commit(position, FrameLayout.header(kind, 7, LENGTH));
  }

  private void send(long word) {
    long position = ring.tryClaim(LENGTH, UNLIMITED);
    assertThat(position).isNotNegative();
    write(position, word, FrameLayout.MESSAGE);
  }

  /** Takes the words of what is committed. */
  private void take(List<Long> words) {
    long bytes = ring.consumer().scan(UNLIMITED);
    MemorySegment memory = ring.memory();
    for (long at = ring.consumer().sentOffset();
        at < ring.consumer().sentOffset() + bytes;
        at += LENGTH) {
      long word = FrameLayout.readWord(memory, at + 8);
      assertThat(FrameLayout.readWord(memory, at + 16)).isEqualTo(~word);
      words.add(word);
    }
    ring.consumer().sent(bytes);
    ring.consumer().completed(bytes);
  }

  private List<Long> takeAll() {
    List<Long> words = new ArrayList<>();
    take(words);
    return words;
  }

  @Test
  void shouldGiveItsMemoryBackAndTakeNewMemoryWithTheNextClaim() {
    long before = NativeMemory.openBytes();
    for (long word = 0; word < 1000; word++) {
      send(word);
      assertThat(takeAll()).containsExactly(word);
      assertThat(ring.chargedBytes()).isEqualTo(LENGTH * (word + 1));
      assertThat(ring.consumer().sentMessages()).isEqualTo(word + 1);
      if (word % 3 == 0) {
        assertThat(rest()).isTrue();
        assertThat(rest()).as("it rests already").isFalse();
        assertThat(ring.isResting()).isTrue();
        assertThat(NativeMemory.openBytes()).isEqualTo(before - CAPACITY);
        assertThat(ring.isEmpty()).isTrue();
        assertThat(ring.consumer().hasCommitted()).isFalse();
        assertThat(ring.consumer().scan(UNLIMITED)).isZero();
        assertThat(ring.consumer().oldestOpenClaim()).isEqualTo(-1);
        assertThat(ring.pendingBytes()).isZero();
      }
    }
    assertThat(NativeMemory.openBytes()).as("it wakes for all kinds of claims").isLessThan(before);
    long response = ring.tryClaimUncharged(LENGTH);
    assertThat(ring.isResting()).isFalse();
    ring.abortUncharged(response, LENGTH);
    assertThat(takeAll()).isEmpty();
    assertThat(rest()).isTrue();
    long charged = ring.chargedBytes();
    assertThat(ring.tryCharge(800, charged + 800)).isTrue();
    assertThat(ring.chargedBytes()).isEqualTo(charged + 800);
    assertThat(ring.tryClaim(LENGTH, charged + 800)).isEqualTo(OutboundRing.NO_CREDIT);
  }

  @Test
  void shouldStillLackCreditWhenItHasMemoryAgain() {
    send(1);
    assertThat(takeAll()).hasSize(1);
    assertThat(rest()).isTrue();
    assertThat(ring.tryClaim(LENGTH, 2 * LENGTH - 8)).isEqualTo(OutboundRing.NO_CREDIT);
    assertThat(ring.tryClaim(LENGTH, 2 * LENGTH)).isNotNegative();
  }

  @Test
  void shouldNotRestWhileSomebodyUsesItsMemory() {
    long open = ring.tryClaim(LENGTH, UNLIMITED);
    assertThat(rest()).as("claimed").isFalse();
    write(open, 1, FrameLayout.MESSAGE);
    assertThat(rest()).as("committed").isFalse();
    long bytes = ring.consumer().scan(UNLIMITED);
    assertThat(rest()).as("scanned").isFalse();
    ring.consumer().sent(bytes);
    assertThat(rest()).as("not completed").isFalse();
    ring.consumer().completed(bytes - 8);
    assertThat(rest()).as("not all completed").isFalse();
    ring.consumer().completed(8);
    assertThat(rest()).isTrue();
  }

  @Test
  void shouldTakeNoMemoryOnceItIsSealed() {
    assertThat(rest()).isTrue();
    ring.seal();
    long before = NativeMemory.openBytes();
    assertThat(ring.tryClaim(LENGTH, UNLIMITED)).isNegative();
    assertThat(ring.tryClaimUncharged(LENGTH)).isNegative();
    assertThat(ring.tryCharge(8, UNLIMITED)).isFalse();
    assertThat(ring.consumer().countUnsentMessages()).isZero();
    assertThat(NativeMemory.openBytes()).isEqualTo(before);
  }

  @Test
  void shouldTakeNoMemoryOnceItsSourceIsClosed() {
    assertThat(rest()).isTrue();
    source.close();
    assertThat(ring.tryClaim(LENGTH, UNLIMITED)).isNegative();
  }

  @Test
  void shouldKeepTheMemoryOfACodecThatDoesNotReturnFromOthers() {
    List<RingMemory> sources = new ArrayList<>();
    try {
      OutboundRing left = withNeighbour(openRings(sources, 40));
      MemorySegment memory = left.memory();
      long position = left.tryClaim(LENGTH, UNLIMITED);
      left.seal();
      left.free();
      assertThat(left.isFreed()).isTrue();
      for (OutboundRing other : openRings(sources, 64)) {
        assertThat(other.memory().asOverlappingSlice(memory)).isEmpty();
      }
      assertThat(memory.scope().isAlive()).as("others are in the same arena").isTrue();
      FrameLayout.writeWord(memory, left.offset(position) + 8, 5); // harms nobody
      long header = FrameLayout.header(FrameLayout.MESSAGE, 7, LENGTH);
      assertThatThrownBy(() -> left.commit(position, header))
          .isInstanceOf(IllegalStateException.class);
      sources.forEach(RingMemory::close);
      assertThat(memory.scope().isAlive()).isFalse();
    } finally {
      sources.forEach(RingMemory::close);
    }
  }

  /** One that shares its arena with the one before. */
  private static OutboundRing withNeighbour(List<OutboundRing> rings) {
    int index = rings.size() - 1;
    while (!rings.get(index).memory().scope().equals(rings.get(index - 1).memory().scope())) {
      index--;
    }
    return rings.get(index);
  }

  private static List<OutboundRing> openRings(List<RingMemory> sources, int count) {
    List<OutboundRing> rings = new ArrayList<>();
    for (int opened = 0; opened < count; opened++) {
      RingMemory memory = newSource();
      sources.add(memory);
      rings.add(OutboundRing.resting(memory));
    }
    return rings;
  }

  /** The consumer lets the ring rest whenever it can, while producers send in bursts. */
  @Test
  void shouldLoseNothingHoweverOftenItRests() throws InterruptedException {
    int producers = 4;
    int frames = 5_000;
    AtomicReference<Throwable> failure = new AtomicReference<>();
    CyclicBarrier burst = new CyclicBarrier(producers, this::awaitRest);
    List<Thread> threads = new ArrayList<>();
    for (int producer = 0; producer < producers; producer++) {
      int id = producer;
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  produce(id, frames, burst);
                } catch (Throwable e) {
                  failure.compareAndSet(null, e);
                }
              }));
    }
    long[] next = new long[producers];
    List<Long> words = new ArrayList<>();
    for (long arrived = 0; arrived < (long) producers * frames && failure.get() == null; ) {
      words.clear();
      take(words);
      for (long word : words) {
        assertThat(word & 0xFFFF_FFFFL).isEqualTo(next[(int) (word >>> 32)]++);
      }
      arrived += words.size();
      if (words.isEmpty()) {
        boolean _ = rest();
        RingFixture.giveWay();
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failure.get()).isNull();
    assertThat(next).containsOnly(frames);
    assertThat(rests).as("times that it rested").isGreaterThan(10);
  }

  /** On one of the producers, while all of them wait. */
  private void awaitRest() {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!ring.isResting()) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new IllegalStateException("the ring does not rest");
      }
      RingFixture.giveWay();
    }
  }

  /** Sends, and waits now and then, together with the others, until the ring has rested. */
  private void produce(int id, int frames, CyclicBarrier burst) throws Exception {
    for (int sequence = 0; sequence < frames; ) {
      boolean charged = (sequence & 3) != 0;
      long position = charged ? ring.tryClaim(LENGTH, UNLIMITED) : ring.tryClaimUncharged(LENGTH);
      if (position < 0) {
        RingFixture.giveWay();
        continue;
      }
      write(
          position,
          (long) id << 32 | sequence++,
          charged ? FrameLayout.MESSAGE : FrameLayout.RESPONSE);
      if (sequence % 50 == 0) {
        RingFixture.giveWay(); // so that the consumer finds it empty now and then
      }
      if (sequence % BURST == 0 && sequence < frames) {
        burst.await(2 * PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
    }
  }
}
