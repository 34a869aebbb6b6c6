package org.ringwire.tools.top;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A terminal that shows one picture after the other. Each is written over the last one, so that
 * nothing flickers, and no longer than the terminal is high: what scrolls away is the beginning,
 * which says most. What has been on the terminal before stays in its history.
 *
 * @param rows lines that it has
 * @param columns characters that a line has
 */
record Terminal(int rows, int columns) {

  private static final Pattern SIZE = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");
  private static final String HOME = "\u001b[H";
  private static final String ERASE_LINE = "\u001b[K";
  private static final String REST = "\u001b[J";

  /** One whose size nobody knows. */
  static final Terminal ENDLESS = new Terminal(Integer.MAX_VALUE, Integer.MAX_VALUE);

  /** As it is now: windows change. */
  static Terminal now() {
    return stty().flatMap(Terminal::parse).orElse(ENDLESS);
  }

  /** What {@code stty size} says; nothing of a terminal that says 0, as some of virtual ones do. */
  static Optional<Terminal> parse(String size) {
    Matcher matcher = SIZE.matcher(size);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    Terminal terminal =
        new Terminal(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    return terminal.rows == 0 || terminal.columns == 0 ? Optional.empty() : Optional.of(terminal);
  }

  private static Optional<String> stty() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (var output = stty.getInputStream()) {
        if (stty.waitFor(1, TimeUnit.SECONDS)) { // its few bytes fit into the pipe
          return Optional.of(new String(output.readAllBytes(), StandardCharsets.US_ASCII));
        }
      } finally {
        stty.destroy();
      }
    } catch (IOException e) {
      // there is no such program
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  /** What to write for a picture, of which no line wraps and none makes the terminal scroll. */
  String picture(List<String> lines) {
    StringBuilder picture = new StringBuilder(HOME);
    for (String line : fitting(lines)) { // erased before: behind a full line that takes its end
      picture.append(ERASE_LINE).append(line).append(System.lineSeparator());
    }
    return picture.append(REST).toString();
  }

  private List<String> fitting(List<String> lines) {
    int room = Math.max(1, rows - 1); // the cursor stands in the last one
    List<String> shown = new ArrayList<>(lines.subList(0, Math.min(lines.size(), room)));
    if (lines.size() > room) {
      shown.set(room - 1, "       and " + (lines.size() - room + 1) + " more lines");
    }
    shown.replaceAll(line -> line.substring(0, Math.min(line.length(), columns)));
    return shown;
  }
}
