package org.ringwire.tools.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a terminal is written, of whatever size. */
final class TerminalTest {

  private static final List<String> LINES =
      IntStream.rangeClosed(1, 10).mapToObj(number -> "line " + number).toList();

  /** The lines that are seen. */
  private static List<String> seen(Terminal terminal, List<String> lines) {
    String picture = terminal.picture(lines);
    assertThat(picture).startsWith("\u001b[H").endsWith("\u001b[J");
    assertThat(picture).as("what was there before stays").doesNotContain("[3J", "[2J");
    return picture.substring(3, picture.length() - 3).replace("\u001b[K", "").lines().toList();
  }

  @Test
  void shouldShowTheBeginningOfWhatIsLongerThanTheTerminal() {
    assertThat(seen(new Terminal(11, 80), LINES)).isEqualTo(LINES);
    assertThat(seen(new Terminal(10, 80), LINES))
        .hasSize(9)
        .startsWith("line 1", "line 2")
        .endsWith("line 8", "       and 2 more lines");
    assertThat(seen(new Terminal(1, 80), LINES)).hasSize(1);
    assertThat(seen(Terminal.ENDLESS, LINES)).isEqualTo(LINES);
  }

  @Test
  void shouldCutLinesThatWouldWrap() {
    assertThat(seen(new Terminal(24, 6), LINES))
        .hasSize(10)
        .startsWith("line 1")
        .endsWith("line 1");
  }

  @Test
  void shouldReadTheSize() {
    assertThat(Terminal.parse("24 80\n")).contains(new Terminal(24, 80));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0 0\n", "24 0\n", "24\n", "stty: no terminal\n", "999999 80\n"})
  void shouldDoWithoutASize(String size) {
    assertThat(Terminal.parse(size)).isEmpty();
  }
}
