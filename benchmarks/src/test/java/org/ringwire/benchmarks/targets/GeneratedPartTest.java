package org.ringwire.benchmarks.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratedPartTest {
  @TempDir private Path folder = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void setUp() {
    file = folder.resolve("text.md");
  }

  @Test
  void shouldReplaceItsLinesAndNoOthers() throws Exception {
    Files.writeString(file, "before\n<!-- a b -->\nold\nolder\n<!-- /a b -->\nafter\n");

    GeneratedPart.in(file, "a b").replace("new\nnewer\n");

    assertThat(file).hasContent("before\n<!-- a b -->\nnew\nnewer\n<!-- /a b -->\nafter\n");
  }

  @Test
  void shouldLeaveAFileAloneUntilThereIsSomethingToWrite() throws Exception {
    String text = "<!-- a -->\nold\n<!-- /a -->\n";
    Files.writeString(file, text);

    GeneratedPart.in(file, "a");

    assertThat(file).hasContent(text);
  }

  @Test
  void shouldRefuseAFileWithoutItOrWithTwo() throws Exception {
    for (String text :
        new String[] {
          "no part\n",
          "<!-- a -->\n",
          "<!-- /a -->\n<!-- a -->\n",
          "<!-- a -->\n<!-- a -->\n<!-- /a -->\n",
          "<!-- a -->\n<!-- /a -->\n<!-- /a -->\n"
        }) {
      Files.writeString(file, text);
      assertThatThrownBy(() -> GeneratedPart.in(file, "a"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("<!-- a -->");
    }
  }
}
