package org.ringwire.tools.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {

  @Test
  void shouldRewriteLinesOnATerminalOnly() {
    assertThat(progress(true)).isEqualTo("\r\u001b[Khalf\r\u001b[Kwhole\n\r\u001b[K");
    assertThat(progress(false)).isEqualTo("whole\n");
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
