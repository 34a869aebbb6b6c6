package org.ringwire.tools.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.tools.options.ThrowAwayTls;

/** Folders of processes that were killed, and those that only look so. */
@EnabledOnOs(OS.LINUX)
final class LockedFolderTest {

  private static final String PREFIX = "ringwire-tls-";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path temporary;

  /** Makes certificates, and says where. */
  static final class Certified {
    private Certified() {}

    public static void main(String... words) throws InterruptedException {
      ParentLink link = ParentLink.open();
      link.ready(ThrowAwayTls.create("test", 1).folder());
      Thread.currentThread().join();
    }
  }

  private ChildProcess start() {
    return ChildProcess.start(
        new ChildCommand("certified", Certified.class)
            .withVmOptions("-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + temporary));
  }

  @Test
  void shouldDeleteWhatAKilledProcessHasLeftAndNothingOfALivingOne() throws Exception {
    try (ChildProcess killed = start();
        ChildProcess living = start()) {
      Path left = Path.of(killed.awaitReady(PATIENCE));
      Path used = Path.of(living.awaitReady(PATIENCE));
      killed.kill();
      int _ = killed.awaitExit(PATIENCE);
      assertThat(left).isNotEmptyDirectory();

      try (ChildProcess next = start()) {
        Path own = Path.of(next.awaitReady(PATIENCE));

        assertThat(folders()).containsExactlyInAnyOrder(used, own);
        assertThat(used).isDirectoryContaining("glob:**/identity.p12");
      }
    }
    assertThat(folders()).isEmpty();
  }

  private Stream<Path> folders() throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files.toList().stream();
    }
  }

  /** As a process leaves one that was killed. */
  private Path abandoned(Path parent, String name) throws IOException {
    Path folder =
        Files.createDirectory(
            parent.resolve(name),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.createFile(folder.resolve(".lock"));
    Files.writeString(folder.resolve("identity.p12"), "key");
    return folder;
  }

  @Test
  void shouldKeepWhatThisProcessUses() throws IOException {
    LockedFolder first = LockedFolder.create(temporary, PREFIX);
    LockedFolder second = LockedFolder.create(temporary, PREFIX);
    assertThat(folders()).containsExactlyInAnyOrder(first.path(), second.path());
    assertThat(first.delete()).isTrue();
    assertThat(second.delete()).isTrue();
    assertThat(folders()).isEmpty();
  }

  @Test
  void shouldFollowNoLinks() throws IOException {
    Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
    Path target = abandoned(elsewhere, "target");
    Path link = Files.createSymbolicLink(temporary.resolve(PREFIX + "link"), target);
    Path precious = Files.createFile(elsewhere.resolve("precious"));
    Path linked = abandoned(temporary, PREFIX + "1");
    Files.delete(linked.resolve(".lock"));
    Files.createSymbolicLink(linked.resolve(".lock"), precious);
    Path leading = abandoned(temporary, PREFIX + "2");
    Files.createSymbolicLink(leading.resolve("out"), elsewhere);

    assertThat(LockedFolder.create(temporary, PREFIX).delete()).isTrue();

    assertThat(link).isSymbolicLink();
    assertThat(target).isDirectoryContaining("glob:**/identity.p12");
    assertThat(linked).isDirectory();
    assertThat(leading).doesNotExist();
    assertThat(precious).exists();
  }

  @Test
  void shouldLeaveAloneWhatIsNotOfItsKind() throws IOException {
    Path open = abandoned(temporary, PREFIX + "open");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwx---"));
    Path unlocked = abandoned(temporary, PREFIX + "new");
    Files.delete(unlocked.resolve(".lock"));
    Path other = abandoned(temporary, "other-1");

    assertThat(LockedFolder.create(temporary, PREFIX).delete()).isTrue();

    assertThat(folders()).contains(open, unlocked, other);
  }

  @Test
  void shouldLeaveAloneWhatAnotherUserOwns() throws IOException {
    Path folder = abandoned(temporary, PREFIX + "1");
    try {
      Files.setAttribute(folder, "unix:uid", 65_534);
    } catch (IOException e) {
      assumeThat(e).as("only root can give files away").isNull();
    }

    assertThat(LockedFolder.create(temporary, PREFIX).delete()).isTrue();

    assertThat(folder).isDirectoryContaining("glob:**/identity.p12");
  }
}
