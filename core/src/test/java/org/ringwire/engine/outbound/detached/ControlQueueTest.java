package org.ringwire.engine.outbound.detached;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.Bytes32;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Refusal;
import org.ringwire.wire.RefusalReason;

/** Nothing that may be said at any time comes before the answer that the peer waits for. */
@ExtendWith(NodeWatcher.class)
class ControlQueueTest {

  private final ControlQueue queue = new ControlQueue();

  /** The kinds of what is sent if the link takes all, in order. */
  private List<Integer> sent() {
    List<Integer> kinds = new ArrayList<>();
    for (byte[] frame = poll(); frame != null; frame = poll()) {
      kinds.add(FrameLayout.kind(FrameLayout.readHeader(MemorySegment.ofArray(frame), 0)));
    }
    assertThat(queue.isEmpty()).isTrue();
    return kinds;
  }

  private byte[] poll() {
    return queue.poll(() -> ControlFrames.credit(0, 0, 65_536));
  }

  private static byte[] challenge() {
    return ControlFrames.challenge(Bytes32.of(new byte[Bytes32.LENGTH]));
  }

  private static byte[] answer() {
    return new Refusal(RefusalReason.LIMIT, "too many").encode();
  }

  @Test
  void shouldSendCreditBeforeFramesThatWaitOnceTheHandshakeIsOver() {
    queue.add(answer());
    assertThat(sent()).containsExactly(FrameLayout.REFUSE);
    queue.add(ControlFrames.ping(1));
    queue.requestPong(2);
    queue.requestCredit();
    assertThat(sent()).containsExactly(FrameLayout.CREDIT, FrameLayout.PONG, FrameLayout.PING);
  }

  @Test
  void shouldKeepCreditUntilTheAnswerIsSent() {
    queue.requestCredit();
    queue.requestPong(1);
    assertThat(queue.isEmpty()).as("nothing to send yet").isTrue();
    assertThat(poll()).isNull();
    queue.add(answer());
    assertThat(sent()).containsExactly(FrameLayout.REFUSE, FrameLayout.CREDIT, FrameLayout.PONG);
  }

  @Test
  void shouldNotTakeTheDemandForAProofForTheAnswer() {
    queue.add(challenge());
    assertThat(sent()).containsExactly(FrameLayout.CHALLENGE);
    queue.requestCredit();
    queue.requestPong(1);
    assertThat(queue.isEmpty()).as("nothing to send yet").isTrue();
    assertThat(poll()).isNull();
    queue.add(answer());
    assertThat(sent()).containsExactly(FrameLayout.REFUSE, FrameLayout.CREDIT, FrameLayout.PONG);
  }
}
