package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.heap.OtherJvm.Outcome;
import org.ringwire.testing.NodeWatcher;

/** What an image may cost for each of its bytes, as docs/heap.md tells it. */
@ExtendWith(NodeWatcher.class)
class ImageCostTest {

  /** Memory of collectors with and without short references, and what may be allocated of it. */
  @ParameterizedTest
  @CsvSource({"true, 110", "false, 140"})
  void shouldAllocateNoMoreForAnImageThanIsTold(boolean isCompressed, String most)
      throws Exception {
    Outcome outcome =
        OtherJvm.run(OtherJvm.options("Serial", isCompressed, false), ImageCostProgram.class, most);

    assertThat(outcome.output()).contains("OK");
    assertThat(outcome.status()).isZero();
  }
}
