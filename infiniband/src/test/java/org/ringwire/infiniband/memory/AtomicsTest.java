package org.ringwire.infiniband.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** Words that threads of several nodes change at the same time. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class AtomicsTest {

  @TempDir private Path folder;

  @ParameterizedTest(name = "by a device that is late: {0}")
  @ValueSource(strings = {"false", "true"})
  void shouldBeExactAndKeptFromWhatIsForbidden(String isLate) throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(AtomicsProgram.class, isLate).lines())
        .containsExactly(
            "adds: exact",
            "adds at once: exact",
            "swaps: exact",
            "at an address that is divisible: 0",
            "at one that is not: IllegalArgumentException",
            "partly beyond the end: IndexOutOfBoundsException",
            "before the start: IndexOutOfBoundsException",
            "beyond the end, forged: REFUSED",
            "not permitted: NOT_PERMITTED",
            "permitted, forged: REFUSED",
            "after that: 5",
            "word: 6",
            "not touched: true",
            "left: 0");
  }

  /** Each add of the others has its effect once, though those behind a refusal are posted again. */
  @Test
  void shouldLoseOnlyWhatIsRefusedWhereMemoryIsRevoked() throws Exception {
    assertThat(run("memory"))
        .containsExactly(
            "first: right",
            "second: right",
            "exact: true",
            "the rest refused: true",
            "others: true",
            "left: 0");
  }

  @Test
  void shouldChangeNothingAfterTheEndOfItsOwner() throws Exception {
    assertThat(run("owner"))
        .containsExactly("first: right", "second: right", "nothing after it: true", "left: 0");
  }

  /** What is known of each is what has become of it. */
  @ParameterizedTest
  @ValueSource(strings = {"node", "user", "way"})
  void shouldSayWhatMayHaveHadItsEffect(String ending) throws Exception {
    assertThat(run(ending)).containsExactly("first: right", "second: right", "left: 0");
  }

  private List<String> run(String ending) throws Exception {
    return SimulatedLibrary.compile(folder)
        .run(EndingAtomicsProgram.class, ending)
        .lines()
        .toList();
  }
}
