package org.ringwire.tools.soak;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program of the system, run to its end, or killed when that takes too long. */
record Run(int status, String output) {

  private static final long PATIENCE_SECONDS = 50; // a few fit into a test

  /** Runs a program; a status that is not 0 is the caller's to look at. */
  static Run of(Path folder, Map<String, String> environment, List<String> words) {
    try {
      Path output = Files.createTempFile("ringwire-run", ".txt"); // a pipe may stay open
      try {
        ProcessBuilder builder =
            new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true);
        builder.redirectInput(new File("/dev/null")).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly();
          return new Run(-1, "did not end");
        }
        String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
        return new Run(process.exitValue(), text.strip());
      } finally {
        Files.delete(output);
      }
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
