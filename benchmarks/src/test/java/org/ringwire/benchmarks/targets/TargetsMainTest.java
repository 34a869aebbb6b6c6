package org.ringwire.benchmarks.targets;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.benchmarks.Outcome;

/** What cannot work is refused before anything is measured. */
@EnabledOnOs(OS.LINUX)
class TargetsMainTest {

  /** There is one at the root, and tests run in the module. */
  private static final String LAUNCHER = "--ringwire ../ringwire ";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --update no/such | --update: there is no file no/such
          --update . | --update: .: Is a directory
          --update README.md | --update: README.md must have one line that is
          --markdown . | --markdown: . is a folder; name a file in it
          --markdown no/such/file | --markdown: there is no folder for no/such/file
          --json . | --json cannot be written: .: Is a directory
          --json no/such/file | --json cannot be written: there is no file no/such/file
          --json /dev/full | --json cannot be written: /dev/full
          --json /proc/version --resume | --resume: /proc/version is not of these programs
          --json . --resume | --resume: .: Is a directory
          --resume | --resume needs --json FILE
          --only nowhere | --only: there is no target nowhere, see --list
          --only loopback,nowhere | --only: there is no target nowhere, see --list
          --only= | --only takes values with commas between them, none of them empty
          --rounds 0 | --rounds takes a number from 1 to 1000, not 0
          --ringwire .. | no launcher at ..; name it with --ringwire
          """)
  void shouldSayWhatIsWrongInOneLine(String words, String message) throws Exception {
    Outcome outcome =
        Outcome.of(TargetsMain.class, words.startsWith("--ringwire") ? words : LAUNCHER + words);

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.output()).isEmpty();
    assertThat(outcome.errors().lines())
        .singleElement()
        .asString()
        .startsWith("targets: " + message);
  }

  @Test
  void shouldSayWhichFileIsNoText(@TempDir Path folder) throws Exception {
    Path file = Files.write(folder.resolve("bytes"), new byte[] {-1});

    assertThat(Outcome.of(TargetsMain.class, LAUNCHER + "--update " + file).errors().lines())
        .containsExactly("targets: --update: " + file + ": it is no text in UTF-8");
  }
}
