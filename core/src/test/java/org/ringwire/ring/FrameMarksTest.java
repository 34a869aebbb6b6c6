package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;

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

  private static byte message(int length) {
    return FrameMarks.committed(FrameLayout.header(FrameLayout.MESSAGE, 9, length));
  }

  @Test
  void shouldSayOfAShortFrameWhatItOccupiesAndWhetherItIsAMessage() {
    for (int length = 8; length <= 504; length++) {
      for (int kind : new int[] {FrameLayout.MESSAGE, FrameLayout.REQUEST}) {
        byte mark = FrameMarks.committed(FrameLayout.header(kind, 9, length));
        assertThat(FrameMarks.isCommitted(mark)).isTrue();
        assertThat(mark).isPositive();
        assertThat(RingLayout.occupied(FrameMarks.header(mark)))
            .isEqualTo(FrameLayout.occupied(length));
        assertThat(RingLayout.messages(FrameMarks.header(mark))).isOne();
      }
      for (int kind : new int[] {FrameLayout.RESPONSE, FrameLayout.FAILURE, FrameLayout.CREDIT}) {
        byte mark = FrameMarks.committed(FrameLayout.header(kind, 9, length));
        assertThat(mark).isPositive();
        assertThat(RingLayout.occupied(FrameMarks.header(mark)))
            .isEqualTo(FrameLayout.occupied(length));
        assertThat(RingLayout.messages(FrameMarks.header(mark))).isZero();
      }
    }
  }

  @Test
  void shouldLeaveWhatALongFrameIsToItsHeader() {
    assertThat(message(505)).isEqualTo(FrameMarks.IN_HEADER);
    assertThat(message(FrameLayout.MAX_LENGTH)).isEqualTo(FrameMarks.IN_HEADER);
    assertThat(FrameMarks.committed(FrameLayout.header(FrameLayout.PADDING, 0, 8)))
        .isEqualTo(FrameMarks.IN_HEADER);
    assertThat(FrameMarks.committed(FrameLayout.header(FrameLayout.DETACHED, 0, 16)))
        .isEqualTo(FrameMarks.IN_HEADER);
    assertThat(FrameMarks.isCommitted(FrameMarks.IN_HEADER)).isTrue();
    assertThat(FrameMarks.isCommitted(FrameMarks.OPEN)).isFalse();
    assertThat(FrameMarks.isCommitted(FrameMarks.FREE)).isFalse();
  }

  private void set(long offset, byte mark) {
    FrameMarks.set(marks.provided(offset), offset, mark);
  }

  @Test
  void shouldKeepMarksOfAllOffsetsApart() {
    List<Long> places = List.of(0L, NEAR - 8, NEAR, MIDDLE - 8, MIDDLE, CAPACITY - 8);
    for (long offset : places) {
      set(offset, message(8));
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
      set(end - 8, message(64));
      marks.clear(end - 8, end + 56);
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
