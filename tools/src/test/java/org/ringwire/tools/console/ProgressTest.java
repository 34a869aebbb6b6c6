package org.ringwire.tools.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTest {
  private static final Path SCRIPT = Path.of("/usr/bin/script");

  @Test
  void shouldRewriteLinesOnATerminalOnly() {
    assertThat(progress(true)).isEqualTo("\r\u001b[Khalf\r\u001b[Kwhole\n\r\u001b[K");
    assertThat(progress(false)).isEqualTo("whole\n");
  }

  /** What a process on a terminal says of it. */
  static final class Looking {
    public static void main(String... args) {
      System.out.println(Progress.isTerminal());
    }
  }

  /** As in a window of an editor, which shows the sequences in place of following them. */
  @ParameterizedTest
  @CsvSource({"xterm, true", "dumb, false"})
  void shouldNotRewriteLinesOnATerminalThatCannot(String kind, boolean live) throws Exception {
    assumeTrue(Files.isExecutable(SCRIPT), "script, of util-linux, gives a process a terminal");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(
            SCRIPT.toString(),
            "-qec",
            "exec \"$JAVA\" -cp \"$WHERE\" '" + Looking.class.getName() + "'",
            "/dev/null");
    builder.environment().put("JAVA", java);
    builder.environment().put("WHERE", System.getProperty("java.class.path"));
    builder.environment().put("TERM", kind);
    Process process = builder.redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      assertThat(process.inputReader().readLine()).isEqualTo(String.valueOf(live));
    } finally {
      process.destroyForcibly();
    }
  }

  private static String progress(boolean live) {
    StringWriter text = new StringWriter();
    Progress progress = new Progress(new PrintWriter(text, true), live);
    progress.update("half");
    progress.done("whole");
    progress.clear();
    return text.toString().replace(System.lineSeparator(), "\n");
  }
}
