package org.ringwire.infiniband.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.testing.NodeWatcher;

/**
 * What every transport promises, over a device in memory, in each build: the same tests with a soft
 * device take a virtual machine, and minutes. A device that is late reads what was posted, and
 * completes it, while others go on, as adapters do.
 */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class SimulatedContractTest {

  private static final Path CORE = Path.of("..", "core", "target", "test-classes");

  @TempDir private Path folder;

  /** A slice: links that are begun and ended by the dozen take long here, too. */
  @ParameterizedTest(name = "{0}, by a device that is late: {1}")
  @CsvSource({
    "IbContractTest IbLeadSpiTest, true",
    "IbSharedLinkContractTest, false",
    "IbUdContractTest, true"
  })
  void shouldKeepWhatEveryTransportPromises(String tests, String isLate) throws Exception {
    assertThat(CORE).as("tests of the core, which -am compiles").isDirectory();
    SimulatedLibrary library = SimulatedLibrary.compile(folder).with(CORE);
    String[] arguments = (isLate + " " + tests).split(" ");
    String _ = library.run(List.of("-Xmx512m"), ContractProgram.class, arguments);
  }
}
