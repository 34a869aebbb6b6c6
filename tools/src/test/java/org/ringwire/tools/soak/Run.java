package org.ringwire.tools.soak;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program of the system, run to its end. */
record Run(int status, String output) {

  private static final long PATIENCE_SECONDS = 60;

  /** Runs a program; a status that is not 0 is the caller's to look at. */
  static Run of(Path folder, Map<String, String> environment, List<String> words) {
    try {
      ProcessBuilder builder =
          new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true);
      builder.redirectInput(new java.io.File("/dev/null"));
      builder.environment().putAll(environment);
      Process process = builder.start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return new Run(-1, "did not end");
      }
      return new Run(process.exitValue(), output);
    } catch (IOException e) {
      return new Run(-1, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Run(-1, "interrupted");
    }
  }

  static Run of(String... words) {
    return of(Path.of("."), Map.of(), List.of(words));
  }

  boolean isGood() {
    return status == 0;
  }
}
