package org.ringwire.tools.console;

import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a run is doing, for people: one line per phase, which is rewritten while the phase lasts if
 * the error output is a terminal. Any thread may report.
 */
public final class Progress {

  private static final String ERASE = "\r\u001b[K";

  private final PrintWriter out;
  private final boolean live;

  /**
   * Writes to the given writer.
   *
   * @param live whether lines can be rewritten; if not, only finished phases are printed
   */
  public Progress(PrintWriter out, boolean live) {
    this.out = out;
    this.live = live;
  }

  /** Whether a terminal that this process may have follows the sequences by which lines go. */
  public static boolean canErase() {
    return !"dumb".equals(System.getenv("TERM")); // as windows of editors call themselves
  }

  /** Whether the error output of this process is a terminal on which lines can be rewritten. */
  @SuppressWarnings("SystemConsoleNull") // without a console module it still may be
  public static boolean isTerminal() {
    if (!canErase()) {
      return false;
    }
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      // Not Linux: the best guess is whether input and output are.
      Console console = System.console();
      return console != null && console.isTerminal();
    }
  }

  /** The phase has come so far. */
  public synchronized void update(String line) {
    if (live) {
      out.print(ERASE + line);
      out.flush();
    }
  }

  /** The phase is over. */
  public synchronized void done(String line) {
    out.println(live ? ERASE + line : line);
    out.flush();
  }

  /** Removes an unfinished line, so that something else can be printed. */
  public synchronized void clear() {
    if (live) {
      out.print(ERASE);
      out.flush();
    }
  }
}
