package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.heap.image.NoHeapImagesProgram;
import org.ringwire.testing.NodeWatcher;

/** Of a large graph at whose end there was no heap nothing is left to those behind it, nor lost. */
@ExtendWith(NodeWatcher.class)
class ImagesWithoutHeapTest {

  @Test
  void shouldForgetALargeGraphThoughThereIsNoHeap() throws Exception {
    List<String> options = new ArrayList<>(OtherJvm.options("Serial", true, false));
    options.addAll(List.of("-Xmx64m", "-XX:-UseTLAB", "-XX:-UseGCOverheadLimit"));

    OtherJvm.Outcome outcome = OtherJvm.run(options, NoHeapImagesProgram.class);

    assertThat(outcome.output())
        .contains(
            "encoded: [[1], [2], [-1]]",
            "encoded after trimming: [[1], [2], [-1]]",
            "decoded: 270000 [[-1], text, [-1]]");
    assertThat(outcome.status()).isZero();
  }
}
