package org.ringwire.transport.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class DelegationTest {

  private final Delegation delegation = new Delegation();
  private int done;

  @Test
  void shouldTakeOnePieceOfWorkAtATime() {
    assertThat(delegation.isWaiting()).isFalse();
    assertThat(delegation.run()).isFalse();
    assertThat(delegation.offer(() -> done++)).isTrue();
    assertThat(delegation.isWaiting()).isTrue();
    assertThat(delegation.offer(() -> done += 100)).as("while there is other work").isFalse();
    assertThat(delegation.run()).isTrue();
    assertThat(done).isEqualTo(1);
    assertThat(delegation.offer(() -> done += 10)).isTrue();
    assertThat(delegation.run()).isTrue();
    assertThat(done).isEqualTo(11);
  }

  @Test
  void shouldTakeNoOtherWorkWhileSomeIsDone() {
    assertThat(delegation.offer(() -> assertThat(delegation.offer(() -> done++)).isFalse()))
        .isTrue();
    assertThat(delegation.run()).isTrue();
    assertThat(delegation.run()).isFalse();
    assertThat(done).isZero();
  }

  @Test
  void shouldKeepWorkThatIsToBeDoneOnceMore() {
    assertThat(delegation.again()).as("nothing is being done").isFalse();
    assertThat(
            delegation.offer(() -> {
              if (++done < 3) {
                assertThat(delegation.again()).isTrue();
              }
            }))
        .isTrue();
    assertThat(delegation.run()).isTrue();
    assertThat(delegation.isWaiting()).isTrue();
    assertThat(delegation.offer(() -> done += 100)).isFalse();
    assertThat(delegation.run()).isTrue();
    assertThat(delegation.run()).isTrue();
    assertThat(delegation.run()).isFalse();
    assertThat(done).isEqualTo(3);
  }

  @Test
  void shouldTakeOtherWorkAfterSomeThatFailed() {
    assertThat(
            delegation.offer(() -> {
              throw new IllegalStateException("meant to");
            }))
        .isTrue();
    assertThatThrownBy(delegation::run).hasMessage("meant to");
    assertThat(delegation.offer(() -> done++)).isTrue();
    assertThat(delegation.run()).isTrue();
    assertThat(done).isEqualTo(1);
  }

  @Test
  void shouldDoWhatIsLeftAtTheEndAndTakeNoMore() {
    assertThat(delegation.offer(() -> done++)).isTrue();
    delegation.end();
    assertThat(done).isEqualTo(1);
    assertThat(delegation.offer(() -> done++)).isFalse();
    delegation.end();
    assertThat(done).isEqualTo(1);
  }
}
