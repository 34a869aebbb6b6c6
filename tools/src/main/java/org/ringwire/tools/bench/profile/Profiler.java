package org.ringwire.tools.bench.profile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import one.profiler.AsyncProfiler;
import org.jspecify.annotations.Nullable;

/**
 * Notes a thousand times per second of processor time where this process is, if {@link
 * ProfilerAgent#options} say so; does nothing otherwise. Any thread.
 */
public final class Profiler {

  /** System property: path and beginning of the name of the files to write. */
  static final String TARGET = "ringwire.bench.profile";

  /** End of the name of the file with all stacks and what each has cost in nanoseconds. */
  static final String STACKS = ".collapsed";

  private static final String FLAMES = ".html";

  /**
   * A timer of each thread, or of the process where there is none. The counters of the kernel,
   * which see into it, cost so much whenever threads take turns that 16 that wait for answers get a
   * third of their answers.
   */
  private static final String TIMER =
      System.getProperty("os.name").equals("Linux") ? "ctimer" : "itimer";

  /** That of this process. */
  public static final Profiler OF_PROCESS = new Profiler(System.getProperty(TARGET));

  private final @Nullable String target;
  private boolean isRunning; // guarded by this

  private Profiler(@Nullable String target) {
    this.target = target;
  }

  /** From now on; what was seen before is forgotten. */
  public synchronized void begin() {
    if (target != null) {
      if (isRunning) {
        execute("stop");
      }
      execute("start,interval=1ms,threads,event=" + TIMER);
      isRunning = true;
    }
  }

  /** Writes what was seen since {@link #begin}: stacks for programs, a flame graph for people. */
  public synchronized void end() {
    if (target == null || !isRunning) {
      return;
    }
    execute("stop");
    isRunning = false;
    String name = Path.of(target).getFileName().toString();
    write(STACKS, execute("collapsed,total,threads,ann"));
    write(FLAMES, execute("flamegraph,total,threads,title=" + name + " nanoseconds"));
  }

  private void write(String ending, String content) {
    try {
      Files.writeString(Path.of(target + ending), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String execute(String command) {
    try {
      return AsyncProfiler.getInstance().execute(command);
    } catch (IOException e) {
      throw new UncheckedIOException("async-profiler: " + command, e);
    }
  }
}
