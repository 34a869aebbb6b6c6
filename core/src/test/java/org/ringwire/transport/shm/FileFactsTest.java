package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.NodeWatcher;

/** Which files are this user's, and closed to others. */
@ExtendWith(NodeWatcher.class)
class FileFactsTest {

  @TempDir private Path folder;

  private Path folderOf(String rights) throws IOException {
    Path made = Files.createTempDirectory(folder, "f");
    return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(rights));
  }

  private static int user(Path file) throws IOException {
    return FileFacts.of(file).userId();
  }

  @Test
  void shouldTellWhichFolderIsOfOneUserAlone() throws IOException {
    Path own = folderOf("rwx------");
    assertThat(FileFacts.of(own).isFolderOf(user(own))).isTrue();
    assertThat(FileFacts.of(own).isFolderOf(user(own) + 1)).isFalse();
    for (String rights : new String[] {"rwx-----x", "rwxr-x---", "rw-------", "rwx-w----"}) {
      Path other = folderOf(rights);
      assertThat(FileFacts.of(other).isFolderOf(user(other))).as(rights).isFalse();
    }
  }

  @Test
  void shouldFollowNoLink() throws IOException {
    Path own = folderOf("rwx------");
    Path file = Files.createFile(folder.resolve("file"));
    Path toFolder = Files.createSymbolicLink(folder.resolve("to-folder"), own);
    Path toFile = Files.createSymbolicLink(folder.resolve("to-file"), file);
    assertThat(FileFacts.of(toFolder).isFolderOf(user(own))).isFalse();
    assertThat(FileFacts.of(toFile).isFileOf(user(own))).isFalse();
    assertThat(FileFacts.of(file).isFileOf(user(own))).isTrue();
    assertThat(FileFacts.of(file).isFileOf(user(own) + 1)).isFalse();
    assertThat(FileFacts.of(file).isFolderOf(user(own))).isFalse();
    assertThat(FileFacts.of(own).isFileOf(user(own))).isFalse();
  }

  @Test
  void shouldKnowASocket() throws IOException {
    Path path = folder.resolve("s");
    try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.bind(UnixDomainSocketAddress.of(path));
      assertThat(FileFacts.of(path).isSocket()).isTrue();
      assertThat(FileFacts.of(path).isFileOf(user(path))).isFalse();
    }
    assertThat(FileFacts.of(folder).isSocket()).isFalse();
  }
}
