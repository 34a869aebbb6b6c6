package org.ringwire.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PageFileTest {

  @TempDir private Path folder;

  @Test
  void shouldReplaceALongerPage() throws IOException {
    Path file = Files.writeString(folder.resolve("page.html"), "a longer one");
    try (PageFile page = PageFile.open(file)) {
      page.write("short");
    }

    assertThat(file).hasContent("short");
  }

  @Test
  void shouldLeaveWhatWasThereWhenThereIsNoPage() throws IOException {
    Path old = Files.writeString(folder.resolve("old.html"), "old");
    Path none = folder.resolve("new.html");
    PageFile.open(old).close();
    PageFile.open(none).close();

    assertThat(old).hasContent("old");
    assertThat(none).doesNotExist();
  }

  @Test
  void shouldSayWhyThereCannotBeAPage() {
    assertThatThrownBy(() -> PageFile.open(folder))
        .isInstanceOf(IOException.class)
        .hasMessage(folder + " is a folder; name a file in it");
    assertThatThrownBy(() -> PageFile.open(folder.resolve("none/page.html")))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "there is no folder for "
                + folder.resolve("none/page.html")
                + " that can be written to");
  }

  /** A file that is always full, as a disk may be by the time that all is measured. */
  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere there is no such file")
  void shouldSayWhichFileHasNoRoom() throws IOException {
    Path full = Path.of("/dev/full");
    try (PageFile page = PageFile.open(full)) {
      assertThatThrownBy(() -> page.write("a page"))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("cannot be written: /dev/full: ");
    }
  }
}
