package org.ringwire.benchmarks.targets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The lines of a text that a command writes: those between two that only say which, as comments of
 * Markdown. The rest belongs to people.
 */
final class GeneratedPart {
  private final Path file;
  private final String begin;
  private final String end;

  private GeneratedPart(Path file, String name) {
    this.file = file;
    begin = "<!-- " + name + " -->";
    end = "<!-- /" + name + " -->";
  }

  /**
   * The part of this name.
   *
   * @throws IOException if the file cannot be read or written, or does not have it exactly once
   */
  static GeneratedPart in(Path file, String name) throws IOException {
    GeneratedPart part = new GeneratedPart(file, name);
    part.replaced(List.of());
    if (!Files.isWritable(file)) {
      throw new IOException("cannot write to " + file);
    }
    return part;
  }

  /** Writes other lines in its place. */
  void replace(String text) throws IOException {
    Files.write(file, replaced(text.lines().toList()));
  }

  private List<String> replaced(List<String> text) throws IOException {
    List<String> lines = Files.readAllLines(file);
    int from = lines.indexOf(begin);
    int to = lines.indexOf(end);
    if (from < 0 || to < from || from != lines.lastIndexOf(begin) || to != lines.lastIndexOf(end)) {
      throw new IOException(
          file + " must have one line that is " + begin + " and, after it, one that is " + end);
    }
    List<String> all = new ArrayList<>(lines.subList(0, from + 1));
    all.addAll(text);
    all.addAll(lines.subList(to, lines.size()));
    return all;
  }
}
