package org.ringwire.testing;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program of the system, run to its end, or killed with what it has started when that takes too
 * long.
 *
 * @param status that it has ended with, or -1 if it could not be run or was killed
 * @param output both of its outputs, or why there are none
 */
public record ProgramRun(int status, String output) {

  /** A few fit into a test. */
  private static final Duration PATIENCE = Duration.ofSeconds(50);

  /**
   * Runs a program; a status that is not 0 is the caller's to look at.
   *
   * @param environment beside that of this process
   */
  public static ProgramRun of(
      Path folder, Map<String, String> environment, List<String> words, Duration patience) {
    try {
      Path output = Files.createTempFile("ringwire-run", ".txt"); // a pipe may stay open
      try {
        ProcessBuilder builder =
            new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true);
        builder.redirectInput(new File("/dev/null")).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly();
          return new ProgramRun(-1, "did not end");
        }
        String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
        return new ProgramRun(process.exitValue(), text.strip());
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      return new ProgramRun(-1, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new ProgramRun(-1, "interrupted");
    }
  }

  /** The same with a time of which a few fit into a test. */
  public static ProgramRun of(Path folder, Map<String, String> environment, List<String> words) {
    return of(folder, environment, words, PATIENCE);
  }

  /** The same with the environment of this process. */
  public static ProgramRun of(Path folder, List<String> words) {
    return of(folder, Map.of(), words);
  }

  /** The same in the folder of this process. */
  public static ProgramRun of(String... words) {
    return of(Path.of("."), List.of(words));
  }

  /** Whether it has done what it should, as it says. */
  public boolean isGood() {
    return status == 0;
  }
}
