package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;

/** What is said of frames beside a ring. */
@ExtendWith(NodeWatcher.class)
class FrameMarksTest {

  private static final long NEAR = FrameMarks.NEAR_SPAN;
  private static final long MIDDLE = FrameMarks.MIDDLE_SPAN;
  private static final long CAPACITY = 2 * MIDDLE;

  private final FrameMarks marks = new FrameMarks(CAPACITY);

  private static long message(int length) {
    return FrameLayout.header(FrameLayout.MESSAGE, 9, length);
  }

  private void commit(long offset, long header) {
    FrameMarks.commit(marks.provided(offset), offset, header);
  }

  /** Lengths to either side of where a mark is not enough, and the longest that a ring can hold. */
  @Test
  void shouldSayOfEachFrameWhatItOccupiesAndWhetherItIsAMessage() {
    for (int length : new int[] {8, 9, 16, 500, 504, 505, 512, 513, 1 << 20, 1 << 28}) {
      for (int kind : new int[] {FrameLayout.MESSAGE, FrameLayout.REQUEST}) {
        shouldSay(FrameLayout.header(kind, 9, length), FrameLayout.MESSAGE);
      }
      for (int kind : new int[] {FrameLayout.RESPONSE, FrameLayout.FAILURE, FrameLayout.CREDIT}) {
        shouldSay(FrameLayout.header(kind, 9, length), FrameLayout.RESPONSE);
      }
      shouldSay(FrameLayout.header(FrameLayout.PADDING, 0, length), FrameLayout.PADDING);
    }
    shouldSay(FrameLayout.header(FrameLayout.DETACHED, 0, 8), FrameLayout.DETACHED);
  }

  private void shouldSay(long header, int kind) {
    for (long offset : new long[] {0, NEAR - 8, NEAR, MIDDLE - 8, MIDDLE}) {
      commit(offset, header);
      assertThat(FrameMarks.isCommitted(marks.get(offset))).isTrue();
      long said = marks.committed(offset);
      assertThat(FrameLayout.kind(said)).isEqualTo(kind);
      assertThat(RingLayout.occupied(said)).isEqualTo(RingLayout.occupied(header));
    }
  }

  @Test
  void shouldSayNothingOfWhatIsNotCommitted() {
    assertThat(marks.committed(0)).isZero();
    assertThat(marks.committed(CAPACITY - 8)).as("no marks yet").isZero();
    set(0, FrameMarks.OPEN);
    assertThat(marks.committed(0)).isZero();
    assertThat(FrameMarks.isCommitted(FrameMarks.OPEN)).isFalse();
    assertThat(FrameMarks.isCommitted(FrameMarks.FREE)).isFalse();
  }

  @Test
  void shouldRefuseWhatStandsForAnotherFrameAndIsLongerThanAWord() {
    long header = FrameLayout.header(FrameLayout.DETACHED, 0, 16);
    assertThatThrownBy(() -> commit(0, header))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("words=2");
  }

  private void set(long offset, byte mark) {
    FrameMarks.set(marks.provided(offset), offset, mark);
  }

  @Test
  void shouldKeepMarksOfAllOffsetsApart() {
    List<Long> places = List.of(0L, NEAR - 8, NEAR, MIDDLE - 8, MIDDLE, CAPACITY - 8);
    for (long offset : places) {
      commit(offset, message(8));
    }
    for (long offset = 0; offset < CAPACITY; offset += 8) {
      boolean marked = places.contains(offset);
      assertThat(FrameMarks.isCommitted(marks.get(offset)))
          .as("offset " + offset)
          .isEqualTo(marked);
    }
  }

  @Test
  void shouldClearJustTheFramesThatBeginWithin() {
    for (long offset = 0; offset < CAPACITY; offset += 8) {
      set(offset, FrameMarks.OPEN);
    }
    marks.clear(NEAR - 16, NEAR + 8);
    marks.clear(MIDDLE - 16, MIDDLE + 8);
    marks.clear(8, 24);
    marks.clear(CAPACITY - 8, CAPACITY);
    for (long offset = 0; offset < CAPACITY; offset += 8) {
      boolean cleared =
          (offset >= NEAR - 16 && offset < NEAR + 8)
              || (offset >= MIDDLE - 16 && offset < MIDDLE + 8)
              || (offset >= 8 && offset < 24)
              || offset == CAPACITY - 8;
      assertThat(marks.get(offset))
          .as("offset " + offset)
          .isEqualTo(cleared ? FrameMarks.FREE : FrameMarks.OPEN);
    }
  }

  @Test
  void shouldHaveNoMarksBeyondTheNearOnesUntilTheyAreMade() {
    marks.clear(0, CAPACITY);
    assertThat(marks.get(CAPACITY - 8)).isEqualTo(FrameMarks.FREE);
    assertThat(FrameMarks.NONE.get(CAPACITY - 8)).as("who comes late").isEqualTo(FrameMarks.FREE);
    assertThat(marks.span()).isEqualTo(NEAR);
    byte[] middle = marks.provided(NEAR);
    assertThat(marks.provided(MIDDLE - 8)).isSameAs(middle);
    assertThat(marks.span()).isEqualTo(MIDDLE);
    assertThat(marks.get(CAPACITY - 8)).isEqualTo(FrameMarks.FREE);
    byte[] far = marks.provided(MIDDLE);
    assertThat(marks.provided(CAPACITY - 8)).isSameAs(far);
    assertThat(marks.span()).isEqualTo(CAPACITY);
    assertThat(marks.get(CAPACITY - 8)).isEqualTo(FrameMarks.FREE);
  }

  /** A long frame passes the part behind, of which none are made then. */
  @Test
  void shouldReachNoFurtherThanMarksWithoutAGap() {
    byte[] _ = marks.provided(MIDDLE);
    assertThat(marks.span()).isEqualTo(NEAR);
    assertThat(marks.get(NEAR)).isEqualTo(FrameMarks.FREE);
  }

  /** A frame that begins before the end of marks may end behind it. */
  @Test
  void shouldClearUpToWhereThereAreMarks() {
    for (long end : new long[] {NEAR, MIDDLE}) {
      commit(end - 8, message(1024));
      marks.clear(end - 8, end + 1016);
      assertThat(marks.get(end - 8)).isEqualTo(FrameMarks.FREE);
      assertThat(marks.get(end)).isEqualTo(FrameMarks.FREE);
    }
  }

  @Test
  void shouldFailAClaimForWhoseMarksThereIsNoHeap() throws ReflectiveOperationException {
    MutantLoader starving =
        new MutantLoader(
            Map.of(
                FrameMarks.class.getName(),
                MutantLoader.method(
                    "make",
                    (code, element) -> {
                      if (element instanceof NewPrimitiveArrayInstruction) {
                        code.invokestatic(
                            ClassDesc.of(MarksScenario.class.getName()),
                            "allocate",
                            MethodTypeDesc.of(ConstantDescs.CD_void));
                        code.with(element);
                        return true;
                      }
                      return false;
                    })));
    assertThat(starving.run(MarksScenario.class)).isTrue();
  }
}
