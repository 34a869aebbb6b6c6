package org.ringwire.infiniband.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.FullHeap;
import org.ringwire.testing.NodeWatcher;

/** Where there is no heap operations end as well, and the device lets go of their memory. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class OperationsWithoutHeapTest {

  @TempDir private Path folder;

  /** What is said of it; others say that they have no heap. */
  private Stream<String> run(String what) throws Exception {
    return SimulatedLibrary.compile(folder)
        .run(FullHeap.OPTIONS, OperationsWithoutHeapProgram.class, what)
        .lines()
        .filter(line -> line.startsWith("registered: "));
  }

  @Test
  void shouldTakeMemoryFromTheDeviceBeforeItIsTheCallersAgain() throws Exception {
    assertThat(run("interrupt")).containsExactly("registered: 0, landed late: 0");
  }

  /** What is called for the first time needs heap itself. */
  @Test
  void shouldTakeMemoryFromTheDeviceWhereNothingWasCalledBefore() throws Exception {
    assertThat(run("interrupt cold")).containsExactly("registered: 0, landed late: 0");
  }

  /** What was behind it is not lost: it is posted anew, if there is heap for that. */
  @Test
  void shouldEndWhatIsRefusedAndWhatWasBehindIt() throws Exception {
    assertThat(run("refuse"))
        .singleElement()
        .asString()
        .matches(
            "registered: \\d+, thrown: (null|java.lang.OutOfMemoryError.*),"
                + " ends: \\[REFUSED(, UNREACHABLE|, done){3}]");
  }

  @Test
  void shouldEndWhatWasUnderWayWhenTheWayBreaks() throws Exception {
    assertThat(run("break"))
        .containsExactly(
            "registered: 0, thrown: null," + " ends: [UNCERTAIN, UNCERTAIN, UNCERTAIN, UNCERTAIN]");
  }

  @Test
  void shouldEndAllWhenItIsClosed() throws Exception {
    assertThat(run("close"))
        .containsExactly("registered: 0, thrown: null, ends: [CLOSED, CLOSED, CLOSED, CLOSED]");
  }

  /** Who closes it once more goes on with that. */
  @Test
  void shouldKeepWhatTheDeviceUsesUntilItLetsGo() throws Exception {
    assertThat(run("close cold"))
        .containsExactly("registered: 0, landed late: 0, ends: [CLOSED, CLOSED, CLOSED, CLOSED]");
  }
}
