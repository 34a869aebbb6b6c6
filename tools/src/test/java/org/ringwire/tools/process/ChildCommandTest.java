package org.ringwire.tools.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The words by which children are started. */
final class ChildCommandTest {

  private final ChildCommand command =
      new ChildCommand("node 1", ChildPrograms.Echo.class, "a").withVmOptions("-Xmx64m");

  @AfterEach
  void forget() {
    System.clearProperty(ChildCommand.ARCHIVE);
  }

  @Test
  void shouldHandTheArchiveOfTheLauncherOn() {
    assertThat(command.words())
        .contains(ParentLink.QUICK_END)
        .noneMatch(word -> word.contains("rchive"));

    System.setProperty(ChildCommand.ARCHIVE, "/some where/classes.jsa");
    List<String> words = command.words();
    assertThat(words)
        .containsSubsequence(
            "-Dringwire.archive=/some where/classes.jsa",
            "-XX:SharedArchiveFile=/some where/classes.jsa",
            "-Xlog:cds=off",
            "-Xlog:cds+dynamic=off",
            "-Xmx64m",
            ChildPrograms.Echo.class.getName(),
            "a");
  }
}
