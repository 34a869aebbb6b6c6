package org.ringwire.engine.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;

/** What a peer is granted while handlers hold its messages and wait. */
@ExtendWith(NodeWatcher.class)
class ReceiveWindowTest {

  private static final int FIRST = 1000;
  private static final int MOST_LENT = 3; // for one

  private final WindowBudget budget = new WindowBudget(1600, 2 * MOST_LENT);
  private final ReceiveWindow window = new ReceiveWindow(budget, FIRST, FIRST, 0.6);

  @AfterEach
  void close() {
    budget.close();
  }

  private long granted() {
    return position(16);
  }

  private long processed() {
    return position(0);
  }

  private long position(int offset) {
    ValueLayout.OfLong word = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    MemorySegment frame = MemorySegment.ofArray(window.creditFrame());
    return frame.get(word, FrameLayout.HEADER_LENGTH + offset);
  }

  @Test
  void shouldLendOnlyWhatTheBudgetHasAndTakeItBack() {
    assertThat(window.reserve()).isTrue();
    assertThat(window.open()).isTrue();
    assertThat(window.receive(800)).isTrue();
    assertThat(granted()).isEqualTo(FIRST);

    assertThat(window.lend(300)).isTrue();
    assertThat(granted()).isEqualTo(FIRST + 300);
    assertThat(processed()).as("the peer sees the window, and no larger one").isEqualTo(300);
    assertThat(budget.available()).isEqualTo(300);
    assertThat(window.lend(400)).as("more than the node has").isFalse();
    assertThat(granted()).isEqualTo(FIRST + 300);

    assertThat(window.processLent(300, 1)).isFalse();
    assertThat(processed()).as("nothing counts twice").isEqualTo(300);
    assertThat(granted())
        .as("a position never shrinks, and nothing is granted twice")
        .isEqualTo(1300);
    assertThat(budget.available()).isEqualTo(600);
    assertThat(window.process(500, 1)).isTrue();
    assertThat(granted()).isEqualTo(FIRST + 800);
  }

  /** Half of it is held by handlers, and with the other half nobody gets to the threshold. */
  @Test
  void shouldSayWhetherThePeerMayNeedCreditThatIsNotDue() {
    assertThat(window.reserve()).isTrue();
    assertThat(window.open()).isTrue();
    assertThat(window.receive(500)).isTrue();
    assertThat(window.process(50, 1)).isFalse();
    assertThat(window.withholds()).as("the longest frame fits").isFalse();
    assertThat(window.receive(200)).isTrue();
    assertThat(window.withholds()).isTrue();
    assertThat(window.process(200, 1)).isFalse();
    assertThat(window.withholds()).isTrue();
    assertThat(granted()).isEqualTo(FIRST + 250);
    assertThat(window.withholds()).as("it was told").isFalse();
    assertThat(window.receive(550)).isTrue();
    assertThat(window.withholds()).as("there is nothing to tell").isFalse();
  }

  /** Whose handlers wait for a node that hangs would otherwise take what others need. */
  @Test
  void shouldLendOneNoMoreThanThatLeavesToOthers() {
    try (WindowBudget shared = new WindowBudget(4 * FIRST, 100)) {
      ReceiveWindow busy = new ReceiveWindow(shared, FIRST, FIRST, 0.6);
      assertThat(busy.reserve()).isTrue();
      assertThat(busy.open()).isTrue();
      for (int message = 0; message < 3; message++) {
        assertThat(busy.lend(500)).isTrue();
      }
      assertThat(shared.available()).isEqualTo(1500);
      assertThat(busy.lend(8)).isFalse();
      ReceiveWindow other = new ReceiveWindow(shared, FIRST, FIRST, 0.6);
      assertThat(other.reserve()).as("who connects now").isTrue();
      assertThat(other.open()).isTrue();
      assertThat(other.lend(250)).isTrue();
      assertThat(busy.processLent(500, 1)).isFalse();
      assertThat(other.lend(250)).as("what the first one has given back").isTrue();
    }
  }

  /** Short messages whose handlers wait would otherwise hold back nobody until the heap is full. */
  @Test
  void shouldLendForSoManyMessagesOnly() {
    assertThat(window.reserve()).isTrue();
    assertThat(window.open()).isTrue();
    assertThat(window.receive(64)).isTrue();
    for (int message = 0; message < MOST_LENT; message++) {
      assertThat(window.lend(8)).isTrue();
    }
    assertThat(window.lend(8)).isFalse();
    assertThat(window.processLent(8, 1)).isFalse();
    assertThat(window.lend(8)).as("in place of the one that is handled").isTrue();
    assertThat(window.lend(8)).isFalse();
    assertThat(budget.available()).isEqualTo(600 - 8 * MOST_LENT);
  }

  /** DXNet paper, section X: more than one threshold may be confirmed at once. */
  @Test
  void shouldConfirmWhateverWasProcessedWithOneFrame() {
    assertThat(window.reserve()).isTrue();
    assertThat(window.open()).isTrue();
    assertThat(window.receive(1000)).isTrue();
    assertThat(window.process(650, 2)).as("credit is due").isTrue();
    assertThat(window.process(350, 1)).as("the frame was not written yet").isFalse();
    assertThat(window.owesCredit()).isTrue();
    assertThat(granted()).as("all of it").isEqualTo(2 * FIRST);
    assertThat(window.owesCredit()).isFalse();
  }

  @Test
  void shouldLendNothingBeforeItHasAWindowAndAfterItsEnd() {
    assertThat(window.lend(8)).isFalse();
    assertThat(window.reserve()).isTrue();
    assertThat(window.receive(8)).as("it is not open").isFalse();
    assertThat(window.open()).isTrue();
    assertThat(window.receive(8)).isTrue();
    window.close();
    assertThat(window.lend(8)).isFalse();
    assertThat(budget.available()).as("kept for what is not handled").isEqualTo(600);
    assertThat(window.process(8, 1)).isFalse();
    assertThat(budget.available()).isEqualTo(1600);
  }

  /** A peer may say any number: what it has not is not counted, and sums do not overflow. */
  @Test
  void shouldNotCountWhatExceedsTheCredit() {
    assertThat(window.reserve()).isTrue();
    assertThat(window.open()).isTrue();
    assertThat(window.receive(16)).isTrue();
    assertThat(window.receive(FIRST - 15)).isFalse();
    assertThat(window.waive(Long.MAX_VALUE - 7)).isFalse();
    assertThat(window.receivedBytes()).isEqualTo(16);
    assertThat(window.process(16, 1)).isFalse();
    window.close();
    assertThat(budget.available()).isEqualTo(1600);
  }
}
