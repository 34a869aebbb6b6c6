package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.NodeWatcher;

/** What listeners are called, and who may say so. */
@ExtendWith(NodeWatcher.class)
class LocalNamesTest {

  @TempDir Path base;

  private SharedFolder one;
  private SharedFolder two;

  @BeforeEach
  void openFolders() throws IOException {
    one = SharedFolder.open(base);
    two = SharedFolder.open(base);
  }

  @AfterEach
  void closeFolders() {
    one.close();
    two.close();
  }

  private static Path socket(SharedFolder folder) throws IOException {
    Path socket = folder.resolve("socket");
    return Files.exists(socket) ? socket : Files.createFile(socket);
  }

  @Test
  void shouldFindWhatOthersAnnounceUntilTheyWithdrawIt() throws IOException {
    LocalNames announcing = new LocalNames(one);
    LocalNames looking = new LocalNames(two);
    assertThat(looking.find("tcp-1")).isNull();
    announcing.announce("tcp-1", socket(one));
    announcing.announce("tcp-[fe80::1%eth0/2]", socket(one));
    assertThat(looking.find("tcp-1")).isEqualTo(socket(one));
    assertThat(looking.find("tcp-[fe80::1%eth0/2]")).isEqualTo(socket(one));
    assertThat(looking.find("tcp-2")).isNull();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(looking.folder())))
        .isEqualTo("rwx------");
    announcing.withdraw();
    assertThat(looking.find("tcp-1")).isNull();
    assertThat(looking.folder()).isEmptyDirectory();
  }

  @Test
  void shouldMakeNamesAgainThatSomebodyHasRemoved() throws IOException {
    LocalNames announcing = new LocalNames(one);
    announcing.announce("tcp-1", socket(one));
    announcing.announce("tcp-2", socket(one));
    Path folder = announcing.folder();
    Files.delete(folder.resolve("tcp-1"));
    Files.delete(folder.resolve("tcp-2"));
    Files.delete(folder);
    LocalNames other = new LocalNames(two);
    other.announce("tcp-2", socket(two));
    announcing.restore();
    assertThat(other.find("tcp-1")).isEqualTo(socket(one));
    assertThat(other.find("tcp-2")).isEqualTo(socket(two));
    announcing.withdraw();
    announcing.restore();
    assertThat(other.find("tcp-1")).isNull();
  }

  @Test
  void shouldTakeNamesOverAndNotTakeThemBackFromOthers() throws IOException {
    LocalNames killed = new LocalNames(one);
    LocalNames next = new LocalNames(two);
    killed.announce("tcp-1", socket(one));
    next.announce("tcp-1", socket(two));
    assertThat(killed.find("tcp-1")).isEqualTo(socket(two));
    killed.withdraw();
    assertThat(next.find("tcp-1")).isEqualTo(socket(two));
  }

  @Test
  void shouldLeaveNamesToOthersWhoAnnounceThemWhileTheyAreWithdrawn() throws IOException {
    LocalNames leaving = new LocalNames(one);
    LocalNames next = new LocalNames(two);
    leaving.announce("tcp-1", socket(one)); // and is about to remove what it has found
    next.announce("tcp-1", socket(two));
    leaving.remove(leaving.folder().resolve("tcp-1"), socket(one));
    assertThat(leaving.find("tcp-1")).isEqualTo(socket(two));
    next.withdraw();
    assertThat(next.folder()).isEmptyDirectory();
  }

  @Test
  void shouldRemoveNamesThatLeadNowhere() throws IOException {
    LocalNames killed = new LocalNames(one);
    LocalNames next = new LocalNames(two);
    killed.announce("tcp-1", socket(one));
    one.close();
    assertThat(next.find("tcp-1")).isNull();
    next.announce("tcp-2", socket(two));
    assertThat(next.folder().resolve("tcp-1")).doesNotExist();
    assertThat(Files.isSymbolicLink(next.folder().resolve("tcp-1"))).isFalse();
    assertThat(Files.isSymbolicLink(next.folder().resolve("tcp-2"))).isTrue();
  }

  @Test
  void shouldLeaveNamesThatAreAnnouncedAnewWhileTheOldOnesAreRemoved() throws IOException {
    LocalNames killed = new LocalNames(one);
    LocalNames next = new LocalNames(two);
    killed.announce("tcp-1", socket(one));
    next.announce("tcp-2", socket(two));
    Path link = next.folder().resolve("tcp-1");
    killed.removeIfItLeadsNowhere(link); // it did a moment ago
    assertThat(next.find("tcp-1")).isEqualTo(socket(one));
    Files.delete(socket(one));
    next.removeIfItLeadsNowhere(link);
    assertThat(Files.isSymbolicLink(link)).isFalse();
    next.removeIfItLeadsNowhere(link); // as the other one does that has found it
    next.withdraw();
    assertThat(next.folder()).isEmptyDirectory();
  }

  @Test
  void shouldRemoveWhatWasLeftHalfRemoved() throws IOException {
    LocalNames names = new LocalNames(one);
    names.announce("tcp-1", socket(one));
    Path left = names.folder().resolve("ringwire-1-gone-tcp-2");
    Files.createSymbolicLink(left, base.resolve("nowhere"));
    names.announce("tcp-1", socket(one));
    assertThat(Files.isSymbolicLink(left)).isFalse();
  }

  @Test
  void shouldNotTrustFolderThatOthersMayEnter() throws IOException {
    LocalNames names = new LocalNames(one);
    names.announce("tcp-1", socket(one));
    Files.setPosixFilePermissions(names.folder(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(names.find("tcp-1")).isNull();
    assertThatThrownBy(() -> names.announce("tcp-2", socket(one)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a folder of this user alone");
  }

  @Test
  void shouldNotFollowFolderThatIsSomewhereElse() throws IOException {
    LocalNames names = new LocalNames(one);
    Path elsewhere = Files.createDirectory(base.resolve("elsewhere"));
    Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwx------"));
    Files.createSymbolicLink(names.folder(), elsewhere);
    Files.createSymbolicLink(elsewhere.resolve("tcp-1"), socket(one));
    assertThat(names.find("tcp-1")).isNull();
    assertThatThrownBy(() -> names.announce("tcp-2", socket(one)))
        .hasMessageContaining("not a folder of this user alone");
  }
}
