package org.ringwire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** The promises about the run-time environment that every other test relies on. */
class RuntimeFlagsTest {
  @Test
  void testsRunWithUnsafeAndUndeclaredNativeAccessDenied() {
    assertThat(ManagementFactory.getRuntimeMXBean().getInputArguments())
        .contains("--illegal-native-access=deny", "--sun-misc-unsafe-memory-access=deny");
  }

  @Test
  void theLibraryIsANamedModuleWithoutDependencies() {
    Module module = RuntimeFlagsTest.class.getModule();

    assertThat(module.getName()).isEqualTo("org.ringwire");
    assertThat(module.getDescriptor().exports())
        .extracting(export -> export.source())
        .containsExactlyInAnyOrder("org.ringwire", "org.ringwire.codec", "org.ringwire.transport");
  }
}
