package org.ringwire.engine.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.ProtocolException;

/** Which grants of one length are used and given back; a frame does not say which it uses. */
@ExtendWith(NodeWatcher.class)
class InboundGrantsTest {
  private static final long LENGTH = 1 << 18;

  private final List<Long> granted = new ArrayList<>();
  private final GrantBudget budget = new GrantBudget(1 << 30, text -> {}, Runnable::run);
  private final InboundGrants grants =
      new InboundGrants(
          budget,
          1 << 30,
          1 << 30,
          granted::add,
          (why, token) -> {},
          () -> 0,
          violation -> {
            throw new AssertionError(violation);
          });

  private void grant(long... tokens) {
    for (long token : tokens) {
      grants.announced(token, LENGTH);
      assertThat(granted.getLast()).isEqualTo(token);
    }
  }

  @Test
  void shouldTakeTheOldestGrantForAFrame() {
    for (long token = 3; token < 300; token++) {
      grant(token - 2, token - 1, token);
      grants.use(LENGTH);
      grants.use(LENGTH);
      grants.announced(token, 0); // the last one was not used
    }
  }

  @Test
  void shouldAcceptAGrantOfTheSameLengthInPlaceOfAnother() {
    grant(1, 2);
    grants.use(LENGTH); // the sender has used the second one

    grants.announced(1, 0);

    assertThatThrownBy(() -> grants.use(LENGTH))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("not granted");
    assertThatThrownBy(() -> grants.announced(1, 0))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("not open");
  }

  @Test
  void shouldAcceptItHoweverManyFramesOfOtherLengthsHaveCome() {
    grant(1, 2);
    grants.use(LENGTH); // as above
    for (long token = 3; token < 3 + 2 * ControlFrames.MOST_ANNOUNCED; token++) {
      long other = LENGTH + FrameLayout.ALIGNMENT * token;
      grants.announced(token, other);
      grants.use(other);
      grants.processed(other);
    }

    grants.announced(1, 0);

    grants.processed(LENGTH);
    assertThat(budget.granted()).isZero();
  }

  /** Each of a stream is granted before the one in front of it has come. */
  @Test
  void shouldAcceptItHoweverManyFramesOfAStreamHaveCome() {
    long other = 2 * LENGTH;
    grant(1, 2);
    grants.use(LENGTH); // as above
    grants.announced(3, other);
    for (long token = 4; token < 4 + 2 * ControlFrames.MOST_ANNOUNCED; token++) {
      grants.announced(token, other);
      grants.use(other);
      grants.processed(other);
    }

    grants.announced(1, 0);

    grants.use(other);
    grants.processed(other);
    grants.processed(LENGTH);
    assertThat(budget.granted()).isZero();
  }

  /** A peer has any number of lengths. */
  @Test
  void shouldKeepNothingOfALengthThatHasComeToItsEnd() {
    UsedGrants used = new UsedGrants();
    for (long length = 1; length < 4L * ControlFrames.MOST_ANNOUNCED; length++) {
      used.add(2 * length, length);
      used.add(2 * length + 1, length);
      if (length % 2 == 0) {
        used.forget(length);
      } else {
        assertThat(used.remove(2 * length)).isEqualTo(length);
        assertThat(used.remove(2 * length)).isNull();
        assertThat(used.remove(2 * length + 1)).isEqualTo(length);
      }
      assertThat(used.lengths()).isZero();
    }
    for (long token = 0; token < 4L * ControlFrames.MOST_ANNOUNCED; token++) {
      used.add(token, token);
    }
    assertThat(used.lengths()).isEqualTo(ControlFrames.MOST_ANNOUNCED);
  }

  @Test
  void shouldPutBackWithoutHeapWhatItCouldNotAskForThoughItsPlaceIsTaken() throws Exception {
    assertThat(
            JavaProgram.run(
                NoHeapGrantsProgram.class, "-Xmx16m", "-XX:+UseSerialGC", "-XX:-UseTLAB"))
        .contains("without heap: []")
        .contains(
            LongStream.rangeClosed(1, 18)
                .mapToObj(String::valueOf)
                .collect(Collectors.joining(", ", "granted: [", "]")));
  }
}
