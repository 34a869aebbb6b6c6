package org.ringwire.engine.outbound.detached;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** Who waits for frames of which length. */
@ExtendWith(NodeWatcher.class)
class AwaitedLengthsTest {

  private static final int LENGTHS = 300;

  @Test
  void shouldCountAsAMapDoes() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    AwaitedLengths awaited = new AwaitedLengths();
    Map<Long, Integer> expected = new HashMap<>();
    for (int step = 0; step < 100_000; step++) {
      long length = 8L * random.nextInt(1 + random.nextInt(LENGTHS));
      Integer count = expected.get(length);
      if (random.nextInt(100) < 55 - step / 2000) { // more, then less
        awaited.add(length);
        expected.merge(length, 1, Integer::sum);
      } else if (count != null) {
        expected.compute(length, (_, before) -> count == 1 ? null : count - 1);
        assertThat(awaited.remove(length)).as("seed=%d", seed).isEqualTo(count == 1);
      }
      long looked = 8L * random.nextInt(LENGTHS);
      assertThat(awaited.contains(looked))
          .as("seed=%d", seed)
          .isEqualTo(expected.containsKey(looked));
    }
  }

  @Test
  void shouldTellThatNobodyWaitsForWhatIsNotThere() {
    AwaitedLengths awaited = new AwaitedLengths();
    assertThat(awaited.remove(8)).isTrue();
    awaited.add(8);
    assertThat(awaited.contains(8)).isTrue();
    assertThat(awaited.remove(8)).isTrue();
    assertThat(awaited.contains(8)).isFalse();
  }
}
