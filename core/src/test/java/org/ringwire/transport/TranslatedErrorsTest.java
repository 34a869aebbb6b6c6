package org.ringwire.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.ProgramRun;

/**
 * The system says in its user's language why something failed. This looks at a process whose system
 * speaks German, where that can be had.
 */
@ExtendWith(NodeWatcher.class)
@EnabledOnOs(OS.LINUX)
class TranslatedErrorsTest {

  private static final String LOCALE = "de_DE.UTF-8";

  @TempDir Path folder;

  @Test
  void shouldKnowWhatTheSystemRefusesInAnotherLanguage() {
    String made = folder.resolve(LOCALE).toString();
    assumeTrue(
        ProgramRun.of("localedef", "-i", "de_DE", "-f", "UTF-8", made).isGood(), "no localedef");
    ProgramRun run = ProgramRun.of(folder, environment(), command());
    assertThat(run.isGood()).as(run.output()).isTrue();
    List<String> lines = run.output().lines().toList();
    String refused = lines.getFirst().substring("system: ".length());
    assumeTrue(!refused.contains("refused"), "the system has no texts in German");
    assertThat(lines).hasSize(8);
    assertThat(lines.get(1)).endsWith(refused + " (nobody listens)");
    assertThat(lines.get(2)).startsWith("shm missing: ").endsWith(" (nobody listens)");
    assertThat(lines.get(3)).endsWith("no answer within 300 ms");
    assertThat(lines.get(4)).isEqualTo("shm again: " + folder.resolve("dead"));
    assertThat(lines.get(5)).endsWith(refused + " (nothing listens there)");
    assertThat(lines.get(6)).contains("and nobody else has");
    assertThat(lines.get(7)).contains("no file descriptor is left").contains("ulimit -n=128;");
  }

  private Map<String, String> environment() {
    return Map.of("LC_ALL", LOCALE, "LOCPATH", folder.toString());
  }

  private List<String> command() {
    List<String> words = new ArrayList<>(List.of("sh", "-c", "ulimit -n 128; exec \"$@\"", "sh"));
    words.addAll(JavaProgram.command(TranslatedErrorsProgram.class, "-XX:+UseSerialGC"));
    words.add(folder.toString());
    return words;
  }
}
