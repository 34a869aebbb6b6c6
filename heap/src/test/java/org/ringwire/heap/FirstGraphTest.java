package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.heap.OtherJvm.Outcome;
import org.ringwire.testing.NodeWatcher;

/** What the first graph of a JVM costs. */
@ExtendWith(NodeWatcher.class)
class FirstGraphTest {

  /** The first segment of a JVM takes as long as all else that the first graph needs. */
  @Test
  void shouldNotMakeMemorySegmentsForArrays(@TempDir Path folder) throws Exception {
    Path loaded = folder.resolve("classes");
    List<String> options = new ArrayList<>(OtherJvm.options("Serial", true, false));
    options.add("-Xlog:class+load:file=" + loaded);

    Outcome outcome = OtherJvm.run(options, ArraysProgram.class);

    assertThat(outcome.output()).contains("OK");
    assertThat(Files.readString(loaded))
        .contains(HeapCodec.class.getName())
        .doesNotContain("NativeMemorySegment")
        .doesNotContain("HeapMemorySegment");
  }
}
