package org.ringwire.benchmarks.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.benchmarks.runs.Runs.Run;
import org.ringwire.benchmarks.runs.Target.Contender;
import org.ringwire.benchmarks.runs.Target.Program;

class EarlierRunsTest {
  private static final String BUILT = "2026-01-02T03:04:05Z";

  /** A command that no program has. */
  private static final Contender CONTENDER =
      new Contender("c", Program.REFERENCE, List.of("--nothing"), Figure.NANOS_PER_MESSAGE);

  private static final Target TARGET =
      new Target("id", "title", "ns", CONTENDER, List.of(), List.of());
  private static final String COMMAND = Runs.shown(CONTENDER);

  @TempDir private Path folder = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void setUp() {
    file = folder.resolve("runs.jsonl");
  }

  private void write(String... lines) throws IOException {
    Files.writeString(file, EarlierRuns.firstLine(BUILT) + "\n" + String.join("\n", lines) + "\n");
  }

  private static String line(int round, String result) {
    return """
    {"kind":"run","target":"id","round":%d,"command":"%s","otherLoad":0.25,\
    "lineNanos":{"before":80,"after":420},"result":%s}\
    """
        .formatted(round, COMMAND, result);
  }

  @Test
  void shouldTakeARunInsteadOfMakingIt() throws Exception {
    write(line(1, "{\"nanosPerMessage\":7}"), "{\"kind\":\"goal\",\"target\":\"id\"}");
    StringWriter log = new StringWriter();
    EarlierRuns earlier = EarlierRuns.of(file, BUILT);
    Runs runs = new Runs(null, 60, new PrintWriter(log), 1, earlier);

    Run run = runs.run(TARGET, CONTENDER, 1);

    assertThat(run.error()).isNull();
    assertThat(CONTENDER.figure().applyAsDouble(run.result())).isEqualTo(7);
    assertThat(log.toString()).isEmpty();
    assertThat(earlier.lines()).containsExactly(line(1, "{\"nanosPerMessage\":7}"));
    assertThat(runs.machine())
        .contains("25 % of the machine")
        .contains("420 ns before and after 0");
  }

  @Test
  void shouldMakeARunOfAnotherRoundAndOneThatFailed() throws Exception {
    write(line(1, "{\"nanosPerMessage\":7}"), line(2, "null"));
    Runs runs = new Runs(null, 60, null, 1, EarlierRuns.of(file, BUILT));

    for (int round : new int[] {2, 3}) {
      runs.startRound();
      assertThat(runs.run(TARGET, CONTENDER, round).error()).isNotNull();
    }
  }

  @Test
  void shouldTakeTheLastOfSeveralAttempts() throws Exception {
    write(line(1, "{\"nanosPerMessage\":7}"), line(1, "{\"nanosPerMessage\":8}"));

    EarlierRuns.EarlierRun run = EarlierRuns.of(file, BUILT).find(1, COMMAND);

    assertThat(run).isNotNull();
    assertThat(run.result().path("nanosPerMessage").asInt()).isEqualTo(8);
  }

  @Test
  void shouldBearALineThatWasBeingWritten() throws Exception {
    write(line(1, "{\"nanosPerMessage\":7}"), line(2, "{\"nanosPerMessage\":7}").substring(0, 40));

    assertThat(EarlierRuns.of(file, BUILT).lines()).hasSize(1);
  }

  @Test
  void shouldBearACharacterThatWasBeingWritten() throws Exception {
    write(line(1, "{\"nanosPerMessage\":7}"));
    Files.write(file, new byte[] {'{', '"', (byte) 0xC3}, StandardOpenOption.APPEND);

    assertThat(EarlierRuns.of(file, BUILT).lines()).hasSize(1);
  }

  @Test
  void shouldWriteWhatWasThereBeforeOthersFollow() throws Exception {
    write(line(1, "{}"), line(2, "{}").substring(0, 40));
    EarlierRuns earlier = EarlierRuns.of(file, BUILT);

    try (PrintWriter log = earlier.begin(file, BUILT)) {
      assertThat(EarlierRuns.of(file, BUILT).lines()).containsExactly(line(1, "{}"));
      log.println(line(2, "{}"));
    }

    assertThat(EarlierRuns.of(file, BUILT).lines()).containsExactly(line(1, "{}"), line(2, "{}"));
    assertThat(folder).isDirectoryContaining(file::equals);
  }

  @Test
  void shouldKeepTheFileUntilAllOfItIsWrittenAgain() throws Exception {
    write(line(1, "{}"));
    String before = Files.readString(file);
    EarlierRuns earlier = EarlierRuns.of(file, BUILT);
    Path inTheWay = Files.createDirectory(folder.resolve("runs.jsonl.new"));
    Files.createFile(inTheWay.resolve("something")); // as if there were no room beside it

    assertThatThrownBy(() -> earlier.begin(file, BUILT).close()).isInstanceOf(IOException.class);

    assertThat(Files.readString(file)).isEqualTo(before);
  }

  @Test
  void shouldRefuseRunsOfAnotherBuildAndOtherFiles() throws Exception {
    write(line(1, "{}"));

    assertThatThrownBy(() -> EarlierRuns.of(file, "2026-01-02T03:04:06Z"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not of these programs")
        .hasMessageContaining("--resume");
    for (String text : new String[] {"", "nothing\n", "{\"kind\":\"run\"}\n"}) {
      Files.writeString(file, text);
      assertThatThrownBy(() -> EarlierRuns.of(file, BUILT)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void shouldBeginAnewWithoutAFile() throws Exception {
    assertThat(EarlierRuns.of(file, BUILT).lines()).isEmpty();
  }

  @Test
  void shouldTellBuildsApartByTheNewestFile() throws Exception {
    Path older = Files.writeString(folder.resolve("a.jar"), "a");
    Path newer = Files.writeString(folder.resolve("b.jar"), "b");
    Files.setLastModifiedTime(older, FileTime.fromMillis(1_000));
    Files.setLastModifiedTime(newer, FileTime.fromMillis(2_000));

    assertThat(EarlierRuns.built(List.of(newer, older, folder))).isEqualTo("1970-01-01T00:00:02Z");
    Files.setLastModifiedTime(older, FileTime.fromMillis(3_000));
    assertThat(EarlierRuns.built(List.of(newer, older))).isEqualTo("1970-01-01T00:00:03Z");
  }
}
