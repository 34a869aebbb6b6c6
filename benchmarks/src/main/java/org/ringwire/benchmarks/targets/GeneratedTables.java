package org.ringwire.benchmarks.targets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.tools.console.Problem;

/** The places of texts that the tables of one suite belong to, found before it is measured. */
final class GeneratedTables {
  private final List<GeneratedPart> whole = new ArrayList<>();
  private final List<GeneratedPart> summaries = new ArrayList<>();

  private GeneratedTables() {}

  /**
   * Those of these files: each has one for the whole table, one for the summary, or both.
   *
   * @throws IOException if one has none, or cannot be read or written
   */
  static GeneratedTables in(List<Path> files, String suite) throws IOException {
    GeneratedTables tables = new GeneratedTables();
    String name = "targets " + suite;
    String summary = name + " summary";
    for (Path file : files) {
      List<String> lines = lines(file);
      boolean hasSummary = lines.contains("<!-- " + summary + " -->");
      if (hasSummary) {
        tables.summaries.add(GeneratedPart.in(file, summary));
      }
      if (!hasSummary || lines.contains("<!-- " + name + " -->")) {
        tables.whole.add(GeneratedPart.in(file, name));
      }
    }
    return tables;
  }

  private static List<String> lines(Path file) throws IOException {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new IOException(Problem.describe(file, e), e);
    }
  }

  /** Writes both tables where they belong. */
  void replace(String table, String summary) throws IOException {
    for (GeneratedPart part : whole) {
      part.replace(table);
    }
    for (GeneratedPart part : summaries) {
      part.replace(summary);
    }
  }
}
