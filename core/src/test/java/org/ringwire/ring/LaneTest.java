package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;

@ExtendWith(NodeWatcher.class)
class LaneTest {

  private final ReceiveBufferPool pool = new ReceiveBufferPool(4 << 20, true);
  private final Lane lane = new Lane(pool);
  private final MemorySegment source = MemorySegment.ofArray(new long[32 << 10]);

  @AfterEach
  void everythingIsReturned() {
    lane.close();
    assertThat(pool.outstanding()).isZero();
    pool.close();
  }

  private boolean append(int length, long word) {
    write(source, 16, length, word);
    return lane.append(source, 16, FrameLayout.occupied(length), RingFixture.message(length));
  }

  private static void write(MemorySegment memory, long offset, int length, long word) {
    FrameLayout.writeWord(memory, offset, RingFixture.message(length));
    FrameLayout.writeWord(memory, offset + 8, word);
    FrameLayout.writeWord(memory, offset + FrameLayout.occupied(length) - 8, word);
  }

  /** Reads the frame that the lane is at and releases it. */
  private void assertNothingLeft() {
    assertThat(lane.next()).isFalse();
    assertThat(lane.settle()).isTrue();
  }

  private long read() {
    long word = peek(lane.memory(), lane.offset());
    lane.release();
    return word;
  }

  private static long peek(MemorySegment memory, long offset) {
    long length = FrameLayout.length(FrameLayout.readHeader(memory, offset));
    long word = FrameLayout.readWord(memory, offset + 8);
    assertThat(FrameLayout.readWord(memory, offset + FrameLayout.occupied(length) - 8))
        .isEqualTo(word);
    return word;
  }

  @Test
  void shouldDeliverFramesInOrderAndHoldNoMemoryWhenEmpty() {
    assertThat(lane.isEmpty()).isTrue();
    assertThat(lane.next()).isFalse();
    assertThat(append(24, 1)).isTrue();
    assertThat(append(29, 2)).isFalse();
    assertThat(pool.outstanding()).isEqualTo(1);

    assertThat(lane.next()).isTrue();
    assertThat(read()).isEqualTo(1);
    assertThat(append(24, 3)).isFalse();
    assertThat(lane.next()).isTrue();
    assertThat(read()).isEqualTo(2);
    assertThat(lane.next()).isTrue();
    assertThat(read()).isEqualTo(3);
    assertThat(lane.isEmpty()).isFalse(); // not before the consumer looks for more

    assertNothingLeft();
    assertThat(lane.isEmpty()).isTrue();
    assertThat(pool.outstanding()).isZero();
    assertThat(append(24, 4)).isTrue();
    assertThat(lane.next()).isTrue();
    assertThat(read()).isEqualTo(4);
  }

  @Test
  void shouldSayWhoComesBackEvenWhenTheProducerAppendsInBetween() {
    append(24, 1);
    assertThat(lane.next()).isTrue();
    assertThat(read()).isEqualTo(1);
    assertThat(lane.next()).isFalse();

    assertThat(append(24, 2)).as("the consumer has not said that the lane is empty").isFalse();

    assertThat(lane.settle()).as("so it has to come back by itself").isFalse();
    assertThat(lane.next()).isTrue();
    assertThat(read()).isEqualTo(2);
    assertThat(lane.next()).isFalse();
    assertThat(lane.settle()).as("nothing is left").isTrue();
    assertThat(append(24, 3)).as("the producer wakes the consumer").isTrue();
    assertThat(lane.isEmpty()).isFalse();
    assertThat(lane.next()).isTrue();
    assertThat(read()).isEqualTo(3);
  }

  @Test
  void shouldUseLargerChunksUnderLoadAndReturnThemOneByOne() {
    int frames = 2000;
    for (int word = 0; word < frames; word++) {
      append(88, word);
    }
    long held = pool.outstanding();
    assertThat(held).isBetween(4L, 8L);
    assertThat(pool.outstandingBytes()).isLessThanOrEqualTo(frames * 88L + 3 * (64 << 10));

    for (int word = 0; word < frames; word++) {
      assertThat(lane.next()).isTrue();
      assertThat(read()).isEqualTo(word);
    }
    assertThat(pool.outstanding()).isEqualTo(1);
    assertNothingLeft();
    assertThat(pool.outstanding()).isZero();
  }

  @Test
  void shouldPassLargeFramesWithoutCopying() {
    ReceiveBuffer large = pool.acquire(2 << 20);
    write(large.segment(), 64, 1 << 20, 2);
    append(24, 1);
    assertThat(lane.append(large, 64, 1 << 20)).isFalse();
    append(24, 3);

    assertThat(lane.next()).isTrue();
    assertThat(read()).isEqualTo(1);
    assertThat(lane.next()).isTrue();
    assertThat(lane.memory()).isSameAs(large.segment());
    assertThat(lane.offset()).isEqualTo(64);
    assertThat(read()).isEqualTo(2);
    assertThat(lane.next()).isTrue();
    assertThat(read()).isEqualTo(3);
    assertNothingLeft();
    assertThat(pool.outstanding()).isZero();

    ReceiveBuffer alone = pool.acquire(1 << 20);
    write(alone.segment(), 0, 100, 4);
    assertThat(lane.append(alone, 0, 100)).isTrue();
    assertThat(lane.next()).isTrue();
    assertThat(read()).isEqualTo(4);
  }

  @Test
  void shouldCopyAFrameThatIsLongerThanAChunk() {
    append(200_000, 7);
    assertThat(lane.next()).isTrue();
    assertThat(read()).isEqualTo(7);
  }

  @Test
  void shouldKeepTheMemoryOfARetainedFrame() {
    append(24, 1);
    append(24, 2);
    assertThat(lane.next()).isTrue();
    Lane.Retained first = lane.retain();
    lane.release();
    assertThat(lane.next()).isTrue();
    Lane.Retained second = lane.retain();
    lane.release();
    assertNothingLeft();
    append(24, 3);

    assertThat(peek(first.memory(), first.offset())).isEqualTo(1);
    assertThat(pool.outstanding()).isEqualTo(2);
    first.close();
    first.close();
    assertThat(peek(second.memory(), second.offset())).isEqualTo(2);
    second.close();
    assertThat(pool.outstanding()).isEqualTo(1);
  }

  @Test
  void shouldDropWhatWasNotHandledWhenClosed() {
    append(24, 1);
    append(24, 2);
    append(24, 3);
    assertThat(lane.next()).isTrue();

    assertThat(lane.drop()).isEqualTo(2);
    assertThat(pool.outstanding()).isZero();
    assertThat(lane.isEmpty()).isTrue();
  }

  @Test
  void shouldStayUsableWhenThereIsNoMemory() {
    append(24, 1);
    pool.close();
    assertThatThrownBy(() -> append(100_000, 2)).isInstanceOf(IllegalStateException.class);
    assertThat(append(24, 3)).isFalse();
    assertThat(lane.next()).isTrue();
    assertThat(read()).isEqualTo(1);
    assertThat(lane.next()).isTrue();
    assertThat(read()).isEqualTo(3);
    assertNothingLeft();

    assertThatThrownBy(() -> append(24, 4)).isInstanceOf(IllegalStateException.class);
    assertThat(lane.isEmpty()).isTrue();
    assertThat(lane.next()).isFalse();
  }

  /** A peer that shares its memory may take it away while a frame is copied. */
  @Test
  void shouldBeAsBeforeWhenAFrameCannotBeRead() {
    MemorySegment gone;
    try (Arena arena = Arena.ofConfined()) {
      gone = arena.allocate(200_000, 8);
    }
    assertThatThrownBy(() -> lane.append(gone, 0, 24, RingFixture.message(24)))
        .as("a first frame")
        .isInstanceOf(IllegalStateException.class);
    assertThat(lane.isEmpty()).isTrue();
    assertThat(pool.outstanding()).isZero();

    assertThat(append(24, 1)).as("the lane was empty").isTrue();
    assertThatThrownBy(() -> lane.append(gone, 0, 24, RingFixture.message(24)))
        .as("behind another")
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> lane.append(gone, 0, 200_000, RingFixture.message(200_000)))
        .as("in a chunk of its own")
        .isInstanceOf(IllegalStateException.class);
    assertThat(append(24, 2)).isFalse();
    assertThatThrownBy(() -> lane.append(gone, 0, 24, RingFixture.message(24)))
        .as("as the last one")
        .isInstanceOf(IllegalStateException.class);
    for (long word = 1; word <= 2; word++) {
      assertThat(lane.next()).isTrue();
      assertThat(read()).isEqualTo(word);
    }
    assertThat(lane.next()).isFalse();
    assertThat(lane.settle()).as("else its consumer would look for ever").isTrue();
    assertThat(pool.outstanding()).isZero();

    assertThatThrownBy(() -> lane.append(gone, 0, 24, RingFixture.message(24)))
        .as("when the lane has become empty")
        .isInstanceOf(IllegalStateException.class);
    assertThat(append(24, 3)).as("the producer wakes the consumer").isTrue();
    assertThat(lane.next()).isTrue();
    assertThat(read()).isEqualTo(3);
  }

  /** A peer that shares its memory may change a frame after it was checked, lengths above all. */
  @Test
  void shouldKeepTheHeaderThatWasChecked() {
    for (long changed : new long[] {0, -1, RingFixture.message(1 << 20)}) {
      FrameLayout.writeWord(source, 0, changed);
      FrameLayout.writeWord(source, 8, 7);
      assertThat(lane.append(source, 0, 16, RingFixture.message(16))).isTrue();
      append(24, 8);
      assertThat(lane.next()).isTrue();
      assertThat(read()).isEqualTo(7);
      assertThat(lane.next()).isTrue();
      assertThat(read()).isEqualTo(8);
      assertNothingLeft();
    }
  }

  @Test
  void shouldRefuseWrongSteps() {
    assertThatThrownBy(lane::release).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(lane::memory).isInstanceOf(IllegalStateException.class);
    append(24, 1);
    assertThat(lane.next()).isTrue();
    assertThatThrownBy(lane::next).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> lane.append(source, 0, source.byteSize() + 8, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void shouldLoseNothingBetweenTwoThreads() throws InterruptedException {
    int frames = 100_000;
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread producer =
        Thread.ofPlatform()
            .start(() -> {
              try {
                produce(frames);
              } catch (Throwable e) {
                failure.set(e);
              }
            });
    for (int word = 0; word < frames && failure.get() == null; ) {
      if (lane.next()) {
        assertThat(read()).isEqualTo(word);
        word++;
      } else {
        RingFixture.giveWay();
      }
    }
    producer.join();
    assertThat(failure.get()).isNull();
    assertNothingLeft();
    assertThat(lane.isEmpty()).isTrue();
    assertThat(pool.outstanding()).isZero();
  }

  private void produce(int frames) {
    SplittableRandom random = new SplittableRandom(5);
    for (int word = 0; word < frames; word++) {
      int length = random.nextInt(16, random.nextInt(100) == 0 ? 9000 : 100);
      if (random.nextInt(500) == 0) {
        ReceiveBuffer whole = pool.acquire(length + 16L);
        write(whole.segment(), 8, length, word);
        lane.append(whole, 8, length);
      } else {
        append(length, word);
      }
      for (int pause = random.nextInt(50) == 0 ? 200 : 0; pause > 0; pause--) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void shouldKeepNoMemoryOfAFrameThatThereIsNoHeapToRetain() throws ReflectiveOperationException {
    MutantLoader starving =
        new MutantLoader(
            Map.of(
                Lane.class.getName(),
                MutantLoader.method(
                    "retain",
                    (code, element) -> {
                      if (element instanceof NewObjectInstruction) {
                        code.invokestatic(
                            ClassDesc.of(RetainedFrameScenario.class.getName()),
                            "allocate",
                            MethodTypeDesc.of(ConstantDescs.CD_void));
                        code.with(element);
                        return true;
                      }
                      return false;
                    })));
    assertThat(starving.run(RetainedFrameScenario.class)).isTrue();
  }
}
