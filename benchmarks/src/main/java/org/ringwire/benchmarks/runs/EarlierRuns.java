package org.ringwire.benchmarks.runs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.runs.CoreDistances.Around;

/**
 * Runs that an interrupted measurement has left in its file of lines: who goes on with it need not
 * make them again. Those that failed are none.
 */
public final class EarlierRuns {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BUILT = "built";

  /**
   * A run that gave a result.
   *
   * @param result what the command printed
   * @param otherLoad share of the machine that others had, if known
   * @param distance of the cores, if known
   */
  record EarlierRun(JsonNode result, @Nullable Double otherLoad, @Nullable Around distance) {}

  private record Key(int round, String command) {}

  private final Map<Key, EarlierRun> runs = new HashMap<>();

  private final List<String> lines = new ArrayList<>();

  private EarlierRuns() {}

  public static EarlierRuns none() {
    return new EarlierRuns();
  }

  /**
   * Those of a file, none if there is no such file.
   *
   * @param built of the programs that are measured now, as {@link #built}
   * @throws IOException if it cannot be read, or is about other programs
   */
  public static EarlierRuns of(Path file, String built) throws IOException {
    EarlierRuns earlier = new EarlierRuns();
    if (!Files.exists(file)) {
      return earlier;
    }
    // The last one may end in the middle of a character.
    List<String> lines =
        new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    if (lines.isEmpty() || !isOf(built, lines.getFirst())) {
      throw new IOException(
          file
              + " is not of these programs, built "
              + built
              + ": figures of two builds do not go"
              + " together; name another file, or leave out --resume");
    }
    for (String line : lines.subList(1, lines.size())) {
      earlier.add(line);
    }
    return earlier;
  }

  private static boolean isOf(String built, String line) {
    try {
      return built.equals(JSON.readTree(line).path(BUILT).asText());
    } catch (IOException _) {
      return false;
    }
  }

  private void add(String line) {
    JsonNode node;
    try {
      node = JSON.readTree(line);
    } catch (IOException _) {
      return; // it was being written when the measurement ended
    }
    JsonNode result = node.path("result");
    if (node.path("kind").asText().equals("run") && result.isObject()) {
      JsonNode others = node.path("otherLoad");
      Key key = new Key(node.path("round").asInt(), node.path("command").asText());
      Double load = others.isNumber() ? others.asDouble() : null;
      runs.put(key, new EarlierRun(result, load, distance(node.path("lineNanos"))));
      lines.add(line);
    }
  }

  private static @Nullable Around distance(JsonNode node) {
    JsonNode before = node.path("before");
    JsonNode after = node.path("after");
    return before.isNumber() && after.isNumber()
        ? new Around(before.asDouble(), after.asDouble())
        : null;
  }

  /** As they were written. */
  List<String> lines() {
    return lines;
  }

  /**
   * Writes them to a file of lines, for others to follow. If they come from that file it stays as
   * it is until they are all written again, beside it: whatever ends this process, none is lost.
   *
   * @param built of the programs that are measured now, as {@link #built}
   * @throws IOException if the file cannot be written; then it is as it was
   */
  public PrintWriter begin(Path file, String built) throws IOException {
    if (!lines.isEmpty()) {
      replace(file.toRealPath(), built); // a link stays one
      return new PrintWriter(Files.newBufferedWriter(file, StandardOpenOption.APPEND));
    }
    BufferedWriter writer = Files.newBufferedWriter(file);
    try {
      writer.write(firstLine(built) + "\n");
      writer.flush();
    } catch (IOException e) {
      writer.close();
      throw e;
    }
    return new PrintWriter(writer);
  }

  private void replace(Path file, String built) throws IOException {
    List<String> all = new ArrayList<>(List.of(firstLine(built)));
    all.addAll(lines);
    Path beside = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.write(beside, all);
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.deleteIfExists(beside);
      throw e;
    }
  }

  /** The run of this command in this round, or null. */
  @Nullable EarlierRun find(int round, String command) {
    return runs.get(new Key(round, command));
  }

  /** The first line of a file that {@link #of} accepts. */
  static String firstLine(String built) {
    ObjectNode line = JSON.createObjectNode();
    line.put("kind", "start");
    line.put(BUILT, built);
    return line.toString();
  }

  /** When the newest of these files was written: tells one build of a program from another. */
  public static String built(List<Path> classPath) throws IOException {
    FileTime newest = FileTime.fromMillis(0);
    for (Path each : classPath) {
      if (Files.isRegularFile(each)) {
        FileTime written = Files.getLastModifiedTime(each);
        newest = written.compareTo(newest) > 0 ? written : newest;
      }
    }
    return newest.toString();
  }
}
