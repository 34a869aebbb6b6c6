package org.ringwire.tools.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds the error output of a child back while it starts. If it does not, the last line is what the
 * {@link ChildFailedException} says, and need not be said twice.
 */
public final class StartLines implements Consumer<String> {

  private final Consumer<String> sink;
  private @Nullable List<String> held = new ArrayList<>(); // guarded by this

  /** In front of what receives the lines. */
  public StartLines(Consumer<String> sink) {
    this.sink = sink;
  }

  @Override
  public synchronized void accept(String line) {
    if (held == null) {
      sink.accept(line);
    } else {
      held.add(line);
    }
  }

  /**
   * Waits until the child that these are the lines of can be used; then all are handed on.
   *
   * @param told lines that the child waits for before
   * @return what the child said behind {@code READY}
   * @throws ChildFailedException if it does not start; then all but the last line are handed on
   */
  public String awaitReady(ChildProcess child, Duration timeout, String... told) {
    try {
      tell(child, told);
      String facts = child.awaitReady(timeout);
      handOn(0);
      return facts;
    } catch (ChildFailedException e) {
      handOn(1);
      throw e;
    }
  }

  /**
   * Whether it has ended meanwhile is seen by who waits for it, who also knows what it has said.
   */
  private static void tell(ChildProcess child, String... lines) {
    try {
      for (String line : lines) {
        child.send(line);
      }
    } catch (ChildFailedException e) {
      // told again, with more, by awaitReady
    }
  }

  private synchronized void handOn(int without) {
    List<String> lines = held;
    held = null;
    if (lines != null) {
      lines.stream().limit(Math.max(0, lines.size() - without)).forEach(sink);
    }
  }
}
