package org.ringwire.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class PauseTest {

  private static final Path SOURCES = Path.of("src", "main", "java");
  private static final Pattern WAIT =
      Pattern.compile("LockSupport\\.park|Thread\\.(onSpinWait|yield|sleep)\\b");

  @Test
  void shouldBeTheOnlyPlaceWhereThreadsParkYieldAndSpin() throws IOException {
    assertThat(SOURCES).isDirectory();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      List<String> waiting =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(PauseTest::waits)
              .map(file -> file.getFileName().toString())
              .toList();

      assertThat(waiting).containsExactly("Pause.java");
    }
  }

  private static boolean waits(Path file) {
    try {
      return WAIT.matcher(Files.readString(file)).find();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldReturnWhenTheTimeIsOverAndWhenUnparked() {
    Pause.blocked(this, 1);
    Pause.idle(this, 1);
    LockSupport.unpark(Thread.currentThread());
    Pause.idle(this);
    for (int round = 0; round < 1_000; round++) {
      Pause.colliding(round);
      Pause.spinning(round);
      Pause.look();
    }
  }
}
