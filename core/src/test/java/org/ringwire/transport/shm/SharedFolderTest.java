package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** What others put beside the folders, where everybody may. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("cannot delete") // where a test is in the way
class SharedFolderTest {

  private static final long PATIENCE_MS = 60_000;

  @TempDir private Path temporary;
  private Path base;

  @BeforeEach
  void makeBase() throws IOException {
    base = Files.createDirectory(temporary.resolve("base"));
  }

  private static Path makeFolder(Path folder, String rights) throws IOException {
    Files.createDirectory(folder);
    return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(rights));
  }

  private static void age(Path file) {
    long oldMs = System.currentTimeMillis() - Duration.ofHours(1).toMillis();
    assertThat(file.toFile().setLastModified(oldMs)).isTrue();
  }

  /** A folder with an old lock that nobody holds, and one more file. */
  private static Path makeLeftover(Path folder, String rights) throws IOException {
    makeFolder(folder, rights);
    age(Files.createFile(folder.resolve("lock")));
    return Files.writeString(folder.resolve("document"), "the only copy");
  }

  /** Another copy of the library in this process opens a folder and closes it. */
  private void openInAnotherClassLoader() throws Exception {
    URL library = SharedFolder.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {library}, null)) {
      Class<?> copy = Class.forName(SharedFolder.class.getName(), true, loader);
      assertThat(copy).isNotSameAs(SharedFolder.class);
      Method open = copy.getDeclaredMethod("open", Path.class);
      open.setAccessible(true);
      Method close = copy.getDeclaredMethod("close");
      close.setAccessible(true);
      close.invoke(open.invoke(null, base));
    }
  }

  @Test
  void shouldKeepItsLockWhenAnotherCopyOfTheLibraryLooksForLeftovers() throws Exception {
    try (SharedFolder folder = SharedFolder.open(base)) {
      age(folder.resolve("lock"));
      openInAnotherClassLoader();
      JavaProgram.run(SharedFolderProgram.class, "-Dbase=" + base);
      assertThat(folder.resolve("lock")).exists();
    }
    assertThat(System.getProperties().stringPropertyNames())
        .noneMatch(name -> name.contains(base.toString()));
  }

  /** A peer may name what it likes. */
  @Test
  void shouldSayThatWhatLiesInNoFolderIsNoFileOfAPeer() throws IOException {
    try (SharedFolder folder = SharedFolder.open(base);
        Arena arena = Arena.ofConfined()) {
      for (String name : List.of("/side-1", "/", "side-1")) {
        assertThatThrownBy(() -> folder.map(Path.of(name), "side", 1, 1, arena))
            .isInstanceOf(IOException.class)
            .hasMessage("not a file of a peer that shares memory: " + name);
      }
    }
  }

  /** What could not be removed the first time. */
  @Test
  void shouldRemoveLaterWhatIsLeftOfAFolder() throws IOException {
    Path folder = base.resolve("ringwire-left");
    makeLeftover(folder, "rwx------");
    Path stays = Files.createDirectory(folder.resolve("stays"));
    Path inside = Files.createFile(stays.resolve("file"));
    SharedFolder.open(base).close();
    assertThat(inside).exists();

    Files.delete(inside);
    SharedFolder.open(base).close();
    assertThat(folder).doesNotExist();
  }

  /** Its process was killed before it had locked it. */
  @Test
  void shouldRemoveAnEmptyFolderWithoutALockWhenItIsOld() throws IOException {
    Path old = makeFolder(base.resolve("ringwire-4711"), "rwx------");
    Path fresh = makeFolder(base.resolve("ringwire-4712"), "rwx------");
    Path filled = makeFolder(base.resolve("ringwire-4713"), "rwx------");
    Path open = makeFolder(base.resolve("ringwire-4714"), "rwxrwxrwx");
    Path names = makeFolder(base.resolve("ringwire-names-0"), "rwx------");
    Files.createFile(filled.resolve("socket"));
    List.of(old, filled, open, names).forEach(SharedFolderTest::age);

    SharedFolder.open(base).close();
    assertThat(old).doesNotExist();
    assertThat(List.of(fresh, filled, open, names)).allMatch(Files::exists);
  }

  @Test
  void shouldNotRemoveWhatALinkLeadsTo() throws IOException {
    Path document = makeLeftover(temporary.resolve("elsewhere"), "rwx------");
    Path link = base.resolve("ringwire-link");
    Files.createSymbolicLink(link, temporary.resolve("elsewhere"));
    SharedFolder.open(base).close();
    assertThat(document).hasContent("the only copy");
    assertThat(Files.isSymbolicLink(link)).isTrue();
  }

  @Test
  void shouldNotRemoveFolderThatOthersMayEnter() throws IOException {
    Path document = makeLeftover(base.resolve("ringwire-open"), "rwxrwxrwx");
    SharedFolder.open(base).close();
    assertThat(document).exists();
  }

  @Test
  void shouldNotFollowLinkInPlaceOfALock() throws IOException {
    Path folder = makeFolder(base.resolve("ringwire-linked"), "rwx------");
    Path elsewhere = Files.createFile(temporary.resolve("elsewhere"));
    age(elsewhere);
    Files.createSymbolicLink(folder.resolve("lock"), elsewhere);
    SharedFolder.open(base).close();
    assertThat(folder).exists();
  }

  @Test
  void shouldNotWaitForPipeInPlaceOfALock() throws Exception {
    Path trap = makeFolder(base.resolve("ringwire-trap"), "rwxrwxrwx");
    Path pipe = trap.resolve("lock");
    Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
    assertThat(made.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS)).isTrue();
    assertThat(made.exitValue()).isZero();
    age(pipe);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread opener =
        Thread.ofPlatform()
            .name("opens-a-folder")
            .start(() -> {
              try {
                SharedFolder.open(base).close();
              } catch (IOException | RuntimeException e) {
                failure.set(e);
              }
            });
    opener.join(PATIENCE_MS);
    boolean waits = opener.isAlive();
    if (waits) { // lets it go
      FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE).close();
      opener.join();
    }
    assertThat(waits).isFalse();
    assertThat(failure.get()).isNull();
    assertThat(pipe).exists();
  }

  /** Systemd does so with all that a user has in memory when the last session ends. */
  @Test
  void shouldSayThatItsFilesWereRemoved() throws IOException {
    try (SharedFolder folder = SharedFolder.open(base);
        SharedFolder peer = SharedFolder.open(base);
        Arena arena = Arena.ofShared()) {
      Path named = peer.create("ring", 4096, arena).file();
      Files.delete(named);
      assertThatThrownBy(() -> folder.map(named, "ring", 1, 4096, arena))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("has no name any more: " + named)
          .hasMessageContaining("systemd");
      Files.delete(peer.resolve("lock"));
      Files.delete(peer.path());
      assertThatThrownBy(() -> peer.create("ring", 4096, arena))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no shared memory: " + peer.path())
          .hasMessageContaining("the folder is gone")
          .hasMessageNotContaining("room");
    }
  }

  /** A ring that wakes is a new file, and the link that it is of is good. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldMapFilesOfPeersThoughTheProcessHasNoFileDescriptorLeft() throws Exception {
    List<String> program =
        JavaProgram.command(
            NoDescriptorsProgram.class,
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:-MaxFDLimit",
            "-Dbase=" + base);
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "ulimit -n 128; exec \"$@\"", "program"));
    command.addAll(program);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
      assertThat(output.lines()).hasSize(3).containsOnly("mapped 4096");
    } finally {
      process.destroyForcibly();
    }
  }
}
