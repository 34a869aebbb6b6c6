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

  private static final long CAPACITY = 64 << 10;
  private static final long PAGE = FrameMarks.pageSpan(CAPACITY);

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
  void shouldKeepMarksOfDifferentPagesApart() {
    marks.provide(2 * PAGE);
    for (long offset : new long[] {0, PAGE - 8, 2 * PAGE, 3 * PAGE - 8}) {
      marks.set(offset, message(8));
    }
    for (long offset = 0; offset < CAPACITY; offset += 8) {
      boolean marked = offset % (2 * PAGE) == 0 || offset % (2 * PAGE) == PAGE - 8;
      assertThat(FrameMarks.isCommitted(marks.get(offset)))
          .as("offset " + offset)
          .isEqualTo(marked);
    }
  }

  @Test
  void shouldClearJustTheFramesThatBeginWithin() {
    for (long offset = 0; offset < CAPACITY; offset += 8) {
      marks.provide(offset);
      marks.set(offset, FrameMarks.OPEN);
    }
    marks.clear(PAGE - 16, 3 * PAGE + 8);
    for (long offset = 0; offset < CAPACITY; offset += 8) {
      boolean cleared = offset >= PAGE - 16 && offset < 3 * PAGE + 8;
      assertThat(marks.get(offset))
          .as("offset " + offset)
          .isEqualTo(cleared ? FrameMarks.FREE : FrameMarks.OPEN);
    }
  }

  @Test
  void shouldHaveNoMarksWhereThereIsNoPage() {
    marks.clear(0, CAPACITY);
    assertThat(marks.get(3 * PAGE)).isEqualTo(FrameMarks.FREE);
    assertThat(FrameMarks.NONE.get(3 * PAGE)).isEqualTo(FrameMarks.FREE);
    marks.set(3 * PAGE + 8, message(16)); // after a rest that nobody has told its claim of
    assertThat(marks.get(3 * PAGE + 8)).isEqualTo(message(16));
  }

  @Test
  void shouldFailAClaimForWhosePageThereIsNoHeap() throws ReflectiveOperationException {
    MutantLoader starving =
        new MutantLoader(
            Map.of(
                FrameMarks.class.getName(),
                MutantLoader.method(
                    "provide",
                    (code, element) -> {
                      if (element instanceof NewPrimitiveArrayInstruction) {
                        code.invokestatic(
                            ClassDesc.of(PageScenario.class.getName()),
                            "allocate",
                            MethodTypeDesc.of(ConstantDescs.CD_void));
                        code.with(element);
                        return true;
                      }
                      return false;
                    })));
    assertThat(starving.run(PageScenario.class)).isTrue();
  }
}
