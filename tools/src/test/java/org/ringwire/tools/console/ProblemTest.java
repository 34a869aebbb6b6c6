package org.ringwire.tools.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ProblemTest {

  @Test
  void shouldSayOfFilesWhatIsWrongAndNotWhichClassSaysSo() {
    assertThat(Problem.describe(new NoSuchFileException("a/b"))).isEqualTo("there is no file a/b");
    assertThat(Problem.describe(new AccessDeniedException("a/b")))
        .isEqualTo("no permission for a/b");
    assertThat(Problem.describe(new FileSystemException("a/b", null, "Too many links")))
        .isEqualTo("a/b: Too many links");
    assertThat(Problem.describe(Path.of("a/b"), new IOException("Is a directory")))
        .isEqualTo("a/b: Is a directory");
    assertThat(Problem.describe(Path.of("a/b"), new MalformedInputException(1)))
        .isEqualTo("a/b: it is no text in UTF-8");
    assertThat(Problem.describe(Path.of("a/b"), new NoSuchFileException("a/b")))
        .isEqualTo("there is no file a/b");
  }

  @Test
  void shouldSayThatADiskIsFull() {
    assertThat(
            Problem.describe(
                new InternalError("a fault occurred in an unsafe memory access operation")))
        .contains("is its disk full?")
        .doesNotContain("unsafe");
  }

  /** As with too few file descriptors; that a class was not found says the error itself. */
  @Test
  void shouldSayWhyTheJvmCouldNotLoadSomething() {
    IOException reason = new IOException("Too many open files");
    assertThat(Problem.describe(new ExceptionInInitializerError(reason)))
        .isEqualTo("ExceptionInInitializerError: Too many open files");
    assertThat(Problem.describe(new InternalError("Error loading java.security file", reason)))
        .isEqualTo("InternalError: Error loading java.security file: Too many open files");
    Error missing = new NoClassDefFoundError("a/B");
    missing.initCause(new ClassNotFoundException("a.B"));
    assertThat(Problem.describe(missing)).isEqualTo("NoClassDefFoundError: a/B");
  }

  /** The words of a process come with zeros in between. */
  @Test
  void shouldBeALineOfText() {
    assertThat(
            Problem.describe(
                new IllegalArgumentException("cmd: sleep\u0000100\u0000\n is\tone\u001b")))
        .isEqualTo("cmd: sleep 100 is one");
  }
}
