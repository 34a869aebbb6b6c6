package org.ringwire.transport.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.loopback.Delegation.Work;

@ExtendWith(NodeWatcher.class)
class DelegationTest {

  private final Delegation delegation = new Delegation();
  private final Work one = new Work(() -> done("1"));
  private final Work two = new Work(() -> done("2"));
  private String done = "";

  private void done(String what) {
    done += what;
  }

  @Test
  void shouldTakeTheWorkOfOneAtATime() {
    assertThat(delegation.isWaiting()).isFalse();
    assertThat(delegation.run()).isFalse();
    assertThat(delegation.offer(one)).isTrue();
    assertThat(delegation.isWaiting()).isTrue();
    assertThat(delegation.offer(two)).as("while there is other work").isFalse();
    assertThat(delegation.run()).isTrue();
    assertThat(done).isEqualTo("1");
    assertThat(delegation.offer(two)).isTrue();
    assertThat(delegation.run()).isTrue();
    assertThat(delegation.run()).isFalse();
    assertThat(done).isEqualTo("12");
  }

  @Test
  void shouldDoOnceWhatIsOfferedTwice() {
    assertThat(delegation.offer(one)).isTrue();
    assertThat(delegation.offer(one)).isTrue();
    assertThat(delegation.offer(two)).isFalse();
    assertThat(delegation.run()).isTrue();
    assertThat(delegation.run()).isFalse();
    assertThat(done).isEqualTo("1");
  }

  @Test
  void shouldTakeNoOtherWorkWhileSomeIsDone() {
    assertThat(delegation.offer(new Work(() -> assertThat(delegation.offer(one)).isFalse())))
        .isTrue();
    assertThat(delegation.run()).isTrue();
    assertThat(delegation.run()).isFalse();
    assertThat(done).isEmpty();
  }

  @Test
  void shouldDoOnceMoreWhatIsOfferedWhileItIsDone() {
    Work[] itself = new Work[1];
    itself[0] =
        new Work(() -> {
          done("x");
          if (done.length() < 4) {
            assertThat(delegation.offer(itself[0])).isTrue();
          }
        });
    assertThat(delegation.offer(itself[0])).isTrue();
    for (int turn = 1; turn <= 4; turn++) {
      assertThat(delegation.run()).isTrue();
      assertThat(done).hasSize(turn);
      assertThat(delegation.isWaiting()).isEqualTo(turn < 4);
    }
    assertThat(delegation.run()).isFalse();
  }

  @Test
  void shouldDoOnceMoreWhatIsOfferedTwiceWhileItIsDone() {
    Work[] itself = new Work[1];
    itself[0] =
        new Work(() -> {
          done("x");
          if (done.length() == 1) {
            assertThat(delegation.offer(itself[0])).isTrue();
            assertThat(delegation.offer(itself[0])).isTrue();
          }
        });
    assertThat(delegation.offer(itself[0])).isTrue();
    assertThat(delegation.run()).isTrue();
    assertThat(delegation.isWaiting()).isTrue();
    assertThat(delegation.offer(one)).isFalse();
    assertThat(delegation.run()).isTrue();
    assertThat(delegation.run()).isFalse();
    assertThat(done).isEqualTo("xx");
  }

  @Test
  void shouldKeepWorkThatIsToBeDoneOnceMore() {
    assertThat(delegation.again()).as("nothing is being done").isFalse();
    Work thrice =
        new Work(() -> {
          done("x");
          if (done.length() < 3) {
            assertThat(delegation.again()).isTrue();
          }
        });
    assertThat(delegation.offer(thrice)).isTrue();
    assertThat(delegation.run()).isTrue();
    assertThat(delegation.isWaiting()).isTrue();
    assertThat(delegation.offer(one)).isFalse();
    assertThat(delegation.run()).isTrue();
    assertThat(delegation.run()).isTrue();
    assertThat(delegation.run()).isFalse();
    assertThat(done).isEqualTo("xxx");
  }

  @Test
  void shouldTakeOtherWorkAfterSomeThatFailed() {
    Work failing =
        new Work(() -> {
          throw new IllegalStateException("meant to");
        });
    assertThat(delegation.offer(failing)).isTrue();
    assertThatThrownBy(delegation::run).hasMessage("meant to");
    assertThat(delegation.offer(one)).isTrue();
    assertThat(delegation.run()).isTrue();
    assertThat(done).isEqualTo("1");
  }

  @Test
  void shouldDoWhatIsLeftAtTheEndAndTakeNoMore() {
    assertThat(delegation.offer(one)).isTrue();
    assertThat(delegation.offer(one)).isTrue();
    delegation.end();
    assertThat(done).isEqualTo("1");
    assertThat(delegation.offer(one)).isFalse();
    assertThat(delegation.offer(two)).isFalse();
    delegation.end();
    assertThat(done).isEqualTo("1");
  }
}
