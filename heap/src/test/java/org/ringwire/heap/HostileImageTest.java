package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.OtherJvm.Outcome;
import org.ringwire.testing.NodeWatcher;

/**
 * Damaged images end with a {@link DecodingException}, or with a graph in which every field holds
 * what its type allows; nothing else may happen, and the heap stays whole, whoever collects it.
 */
@ExtendWith(NodeWatcher.class)
class HostileImageTest {
  private static final boolean IS_NIGHTLY = Boolean.getBoolean("ringwire.nightly");

  private static final int HERE = IS_NIGHTLY ? 1_000_000 : 20_000;
  private static final int WITH_EACH_COLLECTOR = IS_NIGHTLY ? 1_000_000 : 6_000;

  private static long seed() {
    return Long.getLong("ringwire.seed", System.nanoTime());
  }

  @Test
  void shouldEndDamagedImagesWithAnError() {
    long seed = seed();

    int refused = HostileImages.refusedOf(seed, HERE);

    assertThat(refused).as("seed=%d", seed).isBetween(HERE / 4, HERE);
  }

  /** What its methods do is the wrapper's affair, as with any class whose constructor checks. */
  @Test
  void shouldEndAnImageOfAMapThatWrapsItself() {
    String image =
        "524801010700000061000000000000002203000000220100000003090000005b5b4a0a6172726179"
            + "030000001e01000000eff55cf33752cd471e00000000000101000000220300000067010000000000"
            + "0000010600000001010000000102000000";

    assertThat(HostileImages.survives(HexFormat.of().parseHex(image), false, "wrapper")).isTrue();
  }

  static Stream<List<String>> collectors() {
    return OtherJvm.COLLECTORS.stream().map(c -> OtherJvm.verifying(c, c.length() % 2 == 0, false));
  }

  @ParameterizedTest
  @MethodSource("collectors")
  void shouldEndThemWithEveryCollector(List<String> options) throws Exception {
    Outcome outcome =
        OtherJvm.run(options, HostileImages.class, "" + seed(), "" + WITH_EACH_COLLECTOR);

    assertThat(outcome.output()).as("%s", options).contains("OK images=" + WITH_EACH_COLLECTOR);
    assertThat(outcome.status()).isZero();
  }
}
