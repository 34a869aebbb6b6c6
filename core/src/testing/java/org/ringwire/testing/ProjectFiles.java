package org.ringwire.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The files of the project as they lie there: its documents and its sources, of all modules. */
public final class ProjectFiles {

  /** Tests run in the folder of their module. */
  public static final Path ROOT = Path.of("..");

  private static final Set<String> MADE_BY_BUILDS = Set.of("target", ".git");

  private static final Pattern CONTINUED = Pattern.compile("\\\\\n *");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`|(?m)^    (.*)$");
  private static final Pattern END_OF_COMMAND = Pattern.compile(" #| *(?:;|&&|\\|)(?: |$)");

  private ProjectFiles() {}

  /** The text of a file, by its path from the root. */
  public static String text(String path) {
    return text(ROOT.resolve(path));
  }

  /** The text of a file. */
  public static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All documents, in Markdown. */
  public static List<Path> documents() {
    return files(ROOT, ".md");
  }

  /** The sources of all modules, tests included. */
  public static List<Path> sources() {
    return files(ROOT, ".java");
  }

  /** Files below a folder whose names have an end, but for what a build has made. */
  public static List<Path> files(Path folder, String end) {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(folder, new Collector(end, found));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Collections.sort(found);
    return found;
  }

  /** Goes nowhere where a build, which may run, makes files and deletes them. */
  private static final class Collector extends SimpleFileVisitor<Path> {
    private final String end;
    private final List<Path> found;

    Collector(String end, List<Path> found) {
      this.end = end;
      this.found = found;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      boolean made = MADE_BY_BUILDS.contains(String.valueOf(folder.getFileName()));
      return made ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (file.toString().endsWith(end)) {
        found.add(file);
      }
      return FileVisitResult.CONTINUE;
    }

    /** Tests that run at the same time listen at files of their folder, which they delete. */
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException && !file.toString().endsWith(end)) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }
  }

  /** The words that follow a program wherever a document shows how it is called. */
  public static List<List<String>> calls(String program) {
    List<List<String>> calls = new ArrayList<>();
    for (Path document : documents()) {
      String text = CONTINUED.matcher(text(document)).replaceAll("");
      for (MatchResult code : CODE.matcher(text).results().toList()) {
        String shown = code.group(1) == null ? code.group(2) : code.group(1);
        for (String command : END_OF_COMMAND.split(shown)) {
          List<String> words = Arrays.asList(command.strip().split("[\\s\\[\\]]+"));
          int at = words.indexOf(program);
          if (at >= 0) {
            calls.add(words.subList(at + 1, words.size()));
          }
        }
      }
    }
    return calls;
  }
}
