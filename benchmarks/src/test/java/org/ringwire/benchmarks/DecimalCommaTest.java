package org.ringwire.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.ProgramRun;

/**
 * Tables of scripts where numbers are written with a comma, as in German. Some programs then read
 * no more of 1.5 than 1.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "they are shell scripts")
class DecimalCommaTest {
  private static final Path LOCALES = Path.of("/usr/share/i18n/locales/de_DE");

  @TempDir private Path root;

  /** Makes the locale, which few machines have ready. */
  @BeforeEach
  void makeLocale() {
    assumeThat(LOCALES).exists();
    ProgramRun made =
        ProgramRun.of(
            root, List.of("/bin/sh", "-c", "localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 2>&1"));
    assumeThat(root.resolve("de_DE.UTF-8")).as(made.output()).exists();
  }

  private ProgramRun run(String script, String json, String... words) throws Exception {
    Path copy = root.resolve("benchmarks").resolve(script);
    Files.createDirectories(root.resolve("benchmarks"));
    Files.copy(Path.of(script), copy);
    Path launcher = root.resolve("ringwire");
    Files.writeString(launcher, "#!/bin/sh\necho '" + json + "'\n");
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    String line =
        "LOCPATH=. LC_ALL=de_DE.UTF-8 exec /bin/sh " + copy + " " + String.join(" ", words);
    return ProgramRun.of(root, List.of("/bin/sh", "-c", line));
  }

  @Test
  void shouldPrintTimesBySizeAsTheyAre() throws Exception {
    String json = "{\"nanosPerMessage\":1.26E7,\"rttMicros\":{\"mean\":12.3,\"p50\":9.46}}";

    ProgramRun run = run("sizes", json, "1");

    assertThat(run.isGood()).as(run.output()).isTrue();
    assertThat(run.output()).contains("| loopback | 16 | 1 | 12600000 | 9.5 |");
  }

  @Test
  void shouldAddUpProfilesAsTheyAre() throws Exception {
    String part = "{\"process\":\"sender\",\"part\":\"ring\",\"nanosPerMessage\":8.75}";

    ProgramRun run = run("profiles", "{\"profile\":[" + part + "]}", "1", "out");

    assertThat(run.isGood()).as(run.output()).isTrue();
    assertThat(run.output()).contains("| sender | 8.8 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 8.8 |");
  }
}
