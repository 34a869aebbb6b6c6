package org.ringwire.tools.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a process whose parent was killed deletes. */
final class LeftoversTest {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String OPTION = "-Djava.io.tmpdir=";

  @TempDir private Path folder;

  /** Makes a temporary folder, starts a child. */
  static final class Parent {
    private Parent() {}

    public static void main(String... words) throws Exception {
      ParentLink link = ParentLink.open();
      Path _ = Leftovers.folder("made-");
      try (ChildProcess child = ChildProcess.start(new ChildCommand("child", Child.class))) {
        child.awaitReady(PATIENCE);
        link.ready("");
        Thread.currentThread().join();
      }
    }
  }

  /** Lives as long as its parent. */
  static final class Child {
    private Child() {}

    public static void main(String... words) throws InterruptedException {
      ParentLink.open().ready("");
      Thread.currentThread().join();
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS) // where no file has such a name
  void shouldDeleteTheFolderOfItsParentAndNoOtherWhateverItsName() throws Exception {
    Path other = Files.createDirectory(folder.resolve("temporary"));
    Path temporary = Files.createDirectory(folder.resolve("temporary:files, %3A\n+ of a user"));
    ChildCommand command = new ChildCommand("parent", Parent.class);
    try (ChildProcess parent = ChildProcess.start(command.withVmOptions(OPTION + temporary))) {
      assertThat(parent.awaitReady(PATIENCE)).isEmpty();
      assertThat(temporary).isNotEmptyDirectory();
      parent.kill();

      await("an empty folder", () -> isEmpty(temporary));
      assertThat(other).exists();
    }
  }

  private static boolean isEmpty(Path path) {
    String[] names = path.toFile().list();
    return names != null && names.length == 0;
  }
}
