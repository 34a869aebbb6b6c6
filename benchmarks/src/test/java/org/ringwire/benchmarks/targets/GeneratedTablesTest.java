package org.ringwire.benchmarks.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratedTablesTest {
  private static final String WHOLE = "<!-- targets peers -->\nold\n<!-- /targets peers -->\n";
  private static final String SUMMARY =
      "<!-- targets peers summary -->\nold\n<!-- /targets peers summary -->\n";

  @TempDir private Path folder = Path.of("");

  @Test
  void shouldWriteEachTableWhereItBelongs() throws Exception {
    Path whole = Files.writeString(folder.resolve("whole.md"), WHOLE);
    Path summary = Files.writeString(folder.resolve("summary.md"), SUMMARY);
    Path both = Files.writeString(folder.resolve("both.md"), SUMMARY + WHOLE);

    GeneratedTables.in(List.of(whole, summary, both), "peers").replace("all\n", "few\n");

    assertThat(whole).hasContent(WHOLE.replace("old", "all"));
    assertThat(summary).hasContent(SUMMARY.replace("old", "few"));
    assertThat(both).hasContent(SUMMARY.replace("old", "few") + WHOLE.replace("old", "all"));
  }

  @Test
  void shouldRefuseAFileThatHasNeitherBeforeAnythingIsMeasured() throws Exception {
    Path none = Files.writeString(folder.resolve("none.md"), WHOLE);

    assertThatThrownBy(() -> GeneratedTables.in(List.of(none), "basic"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("<!-- targets basic -->");
  }
}
