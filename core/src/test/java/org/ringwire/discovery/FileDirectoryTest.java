package org.ringwire.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.LogRecorder;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
@ExpectedErrors("is not usable")
class FileDirectoryTest {
  private static final Duration OFTEN = Duration.ofMillis(10);

  @TempDir Path folder;

  private Path write(String text) throws IOException {
    Path next = Files.writeString(folder.resolve("next"), text);
    return Files.move(next, folder.resolve("nodes.json"), StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void shouldFollowAFile() throws IOException {
    try (FileDirectory directory = FileDirectory.watch(write("{\"1\": \"a:1\"}"), OFTEN)) {
      assertThat(directory.addresses()).isEqualTo(Map.of(1, "a:1"));
      write("{\"1\": \"b:1\", \"2\": \"c:2\"}"); // of other length
      await("the new file", () -> directory.address(2) != null);
      assertThat(directory.address(1)).isEqualTo("b:1");
      write("{\"1\": \"d:1\", \"3\": \"c:2\"}"); // of the same length
      await("the newest file", () -> directory.address(3) != null);
      assertThat(directory.addresses()).isEqualTo(Map.of(1, "d:1", 3, "c:2"));
      write("{}");
      await("the empty file", () -> directory.addresses().isEmpty());
    }
  }

  @Test
  void shouldFollowALink() throws IOException {
    Path one = Files.writeString(folder.resolve("one"), "{\"1\": \"a:1\"}");
    Path two = Files.writeString(folder.resolve("two"), "{\"1\": \"b:1\"}");
    Path link = Files.createSymbolicLink(folder.resolve("link"), one);
    try (FileDirectory directory = FileDirectory.watch(link, OFTEN)) {
      assertThat(directory.address(1)).isEqualTo("a:1");
      Path other = Files.createSymbolicLink(folder.resolve("other"), two);
      Files.move(other, link, StandardCopyOption.ATOMIC_MOVE);
      await("the other file", () -> "b:1".equals(directory.address(1)));
    }
  }

  @Test
  void shouldKeepTheLastGoodStateAndReportOnce() throws IOException {
    Logger logger = Logger.getLogger("org.ringwire.discovery");
    try (LogRecorder recorder = LogRecorder.of(logger, Level.WARNING);
        FileDirectory directory = FileDirectory.watch(write("{\"1\": \"a:1\"}"), OFTEN)) {
      List<String> bad =
          List.of("{\"1\": \"a:1\"", "{\"1\": }", "{\"one\": \"a:1\"}", "{\"1\": \"a:1\"}}");
      for (String text : bad) {
        String before = String.valueOf(directory.problem());
        write(text);
        await("a report of " + text, () -> !String.valueOf(directory.problem()).equals(before));
        assertThat(directory.addresses()).isEqualTo(Map.of(1, "a:1"));
      }
      Files.delete(folder.resolve("nodes.json"));
      await("a report", () -> String.valueOf(directory.problem()).contains("there is no file"));
      assertThat(directory.address(1)).isEqualTo("a:1");
      write("{\"1\": \"b:1\"}");
      await("the good file", () -> directory.problem() == null);
      assertThat(directory.address(1)).isEqualTo("b:1");
      assertThat(recorder.records()).hasSize(bad.size() + 1); // each was looked at many times
    }
  }

  @Test
  void shouldNameTheArgumentThatIsNotThere() throws IOException {
    Path file = write("{}");
    assertThatNullPointerException()
        .isThrownBy(() -> FileDirectory.watch(null))
        .withMessage("file must not be null");
    assertThatNullPointerException()
        .isThrownBy(() -> FileDirectory.watch(file, null))
        .withMessage("interval must not be null");
  }

  /** Tests may run as a user who may read everything. */
  @Test
  void shouldSayThatAFileMayNotBeRead() {
    Path file = folder.resolve("nodes.json");
    assertThat(FileDirectory.explained(file, new AccessDeniedException(file.toString())))
        .hasMessageContaining("no right to read " + file);
    IOException other = new IOException("Is a directory");
    assertThat(FileDirectory.explained(file, other)).isSameAs(other);
  }

  @Test
  void shouldRefuseToStartWithoutAGoodFile() throws IOException {
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> FileDirectory.watch(folder.resolve("missing")))
        .withMessageContaining("there is no file");
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> FileDirectory.watch(folder))
        .withMessageContaining(folder.toString());
    Path malformed = write("{\"1\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FileDirectory.watch(malformed))
        .withMessageContaining("line 1, column 5");
    Path empty = write("");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FileDirectory.watch(empty))
        .withMessageContaining("line 1, column 1");
    Path binary = Files.write(folder.resolve("binary"), new byte[] {'{', (byte) 0xC3, '}'});
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FileDirectory.watch(binary))
        .withMessageContaining("not UTF-8");
  }
}
