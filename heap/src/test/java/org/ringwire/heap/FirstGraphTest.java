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
    assertThat(loadedByFirstGraph(folder))
        .isNotEmpty()
        .noneMatch(name -> name.endsWith("NativeMemorySegment"))
        .noneMatch(name -> name.endsWith("HeapMemorySegment"));
  }

  /** So do the first lambda and the first stream. */
  @Test
  void shouldUseNoLambdasAndStreams(@TempDir Path folder) throws Exception {
    assertThat(loadedByFirstGraph(folder))
        .isNotEmpty()
        .noneMatch(name -> name.startsWith("org.ringwire.") && name.contains("$$Lambda"))
        .noneMatch(name -> name.startsWith("java.util.stream."));
  }

  /** Lists and maps are in many graphs, what is sorted and views are in few. */
  @Test
  void shouldNotLoadRarerContainersForLists(@TempDir Path folder) throws Exception {
    assertThat(loadedByFirstGraph(folder))
        .contains("org.ringwire.heap.image.container.CollectionShape")
        .doesNotContain("org.ringwire.heap.image.container.SortedShape")
        .doesNotContain("org.ringwire.heap.image.container.EnumSetShape")
        .doesNotContain("org.ringwire.heap.image.container.ViewShape");
  }

  /** The names of the classes that are loaded from that of the codec on. */
  private static List<String> loadedByFirstGraph(Path folder) throws Exception {
    Path loaded = folder.resolve("classes");
    List<String> options = new ArrayList<>(OtherJvm.options("Serial", true, false));
    options.add("-Xlog:class+load:file=" + loaded + ":none");

    Outcome outcome = OtherJvm.run(options, ArraysProgram.class);

    assertThat(outcome.output()).contains("OK");
    List<String> names = new ArrayList<>();
    for (String line : Files.readAllLines(loaded)) {
      String name = line.split(" ", 2)[0];
      if (!names.isEmpty() || name.equals(HeapCodec.class.getName())) {
        names.add(name);
      }
    }
    return names;
  }
}
