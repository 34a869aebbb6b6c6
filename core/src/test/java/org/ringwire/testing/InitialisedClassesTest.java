package org.ringwire.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** That tests which expect no class to be initialised notice a log that they cannot read. */
@ExtendWith(NodeWatcher.class)
class InitialisedClassesTest {

  private static final String LINE = "[0.1s][info][class,init] 5 Initializing '%s' (0x01) by \"x\"";

  @Test
  void shouldFindThoseBetween() {
    String output =
        String.join(
            "\n",
            LINE.formatted("org/ringwire/One"),
            "opened",
            LINE.formatted("org/ringwire/Two"),
            LINE.formatted("java/lang/Object"),
            "closed",
            LINE.formatted("org/ringwire/Three"));

    assertThat(InitialisedClasses.between("opened", "closed", output))
        .containsExactly("org/ringwire/Two");
  }

  @Test
  void shouldNotTakeALogThatItCannotReadForOneOfNone() {
    String output = "[0.1s] org.ringwire.One is initialised\nopened\nclosed";

    assertThatThrownBy(() -> InitialisedClasses.between("opened", "closed", output))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("no class is logged");
  }
}
