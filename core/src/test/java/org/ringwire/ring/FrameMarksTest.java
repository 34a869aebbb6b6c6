package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
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
  private static final long CAPACITY = 4 * NEAR;

  private final FrameMarks marks = new FrameMarks(CAPACITY);

  private static byte message(int length) {
    return FrameMarks.of(FrameLayout.header(FrameLayout.MESSAGE, 9, length));
  }

  @Test
  void shouldSayOfAShortFrameWhatItOccupiesAndWhetherItIsAMessage() {
    for (int length = 8; length <= 504; length++) {
      for (int kind : new int[] {FrameLayout.MESSAGE, FrameLayout.REQUEST}) {
        byte mark = FrameMarks.of(FrameLayout.header(kind, 9, length));
        assertThat(FrameMarks.isCommitted(mark)).isTrue();
        assertThat(mark).isPositive();
        assertThat(RingLayout.occupied(FrameMarks.header(mark)))
            .isEqualTo(FrameLayout.occupied(length));
        assertThat(RingLayout.messages(FrameMarks.header(mark))).isOne();
      }
      for (int kind : new int[] {FrameLayout.RESPONSE, FrameLayout.FAILURE, FrameLayout.CREDIT}) {
        byte mark = FrameMarks.of(FrameLayout.header(kind, 9, length));
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
    assertThat(FrameMarks.of(FrameLayout.header(FrameLayout.PADDING, 0, 8)))
        .isEqualTo(FrameMarks.IN_HEADER);
    assertThat(FrameMarks.of(FrameLayout.header(FrameLayout.DETACHED, 0, 16)))
        .isEqualTo(FrameMarks.IN_HEADER);
    assertThat(FrameMarks.isCommitted(FrameMarks.IN_HEADER)).isTrue();
    assertThat(FrameMarks.isCommitted(FrameMarks.OPEN)).isFalse();
    assertThat(FrameMarks.isCommitted(FrameMarks.FREE)).isFalse();
  }

  @Test
  void shouldKeepMarksOfAllOffsetsApart() {
    for (long offset : new long[] {0, NEAR - 8, NEAR, CAPACITY - 8}) {
      FrameMarks.set(offset < NEAR ? marks.near() : marks.far(), offset, message(8));
    }
    for (long offset = 0; offset < CAPACITY; offset += 8) {
      boolean marked =
          offset == 0 || offset == NEAR - 8 || offset == NEAR || offset == CAPACITY - 8;
      assertThat(FrameMarks.isCommitted(marks.get(offset)))
          .as("offset " + offset)
          .isEqualTo(marked);
    }
  }

  @Test
  void shouldClearJustTheFramesThatBeginWithin() {
    for (long offset = 0; offset < CAPACITY; offset += 8) {
      FrameMarks.set(offset < NEAR ? marks.near() : marks.far(), offset, FrameMarks.OPEN);
    }
    marks.clear(NEAR - 16, NEAR + 8);
    marks.clear(8, 24);
    marks.clear(CAPACITY - 8, CAPACITY);
    for (long offset = 0; offset < CAPACITY; offset += 8) {
      boolean cleared =
          (offset >= NEAR - 16 && offset < NEAR + 8)
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
    byte[] far = marks.far();
    assertThat(marks.far()).isSameAs(far);
    assertThat(marks.get(CAPACITY - 8)).isEqualTo(FrameMarks.FREE);
  }

  @Test
  void shouldFailAClaimForWhoseMarksThereIsNoHeap() throws ReflectiveOperationException {
    MutantLoader starving =
        new MutantLoader(
            Map.of(
                FrameMarks.class.getName(),
                MutantLoader.method(
                    "far",
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
