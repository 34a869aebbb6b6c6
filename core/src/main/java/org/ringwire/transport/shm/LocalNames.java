package org.ringwire.transport.shm;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.support.TransportLog;

/**
 * What listeners of one user and machine are called: symbolic links to their sockets, in a folder
 * that is this user's and that nobody else may enter (0700). The name of the folder can be guessed,
 * so somebody else may have made it: then there are no names. A link whose process was killed leads
 * to a socket that nobody listens to, and later nowhere; it is removed by the next one who
 * announces something. Any thread.
 */
final class LocalNames {

  private static final String RIGHTS = "rwx------";

  /** In the names of links that somebody has moved away to look at them. */
  private static final String GONE = "-gone-";

  private static final TransportLog LOG = TransportLog.of(LocalNames.class);

  private final SharedFolder own;
  private final Map<Path, Path> announced = new HashMap<>(); // link to socket; guarded by this

  /** The names for a transport, beside its folder. */
  LocalNames(SharedFolder own) {
    this.own = own;
  }

  /** Where the links are. */
  Path folder() {
    return own.base().resolve(SharedFolder.PREFIX + "names-" + own.userId());
  }

  /** Makes a link, in place of one that there may be. */
  synchronized void announce(String name, Path socket) throws IOException {
    Path folder = folder();
    make(folder);
    removeThoseThatLeadNowhere(folder);
    Path link = folder.resolve(fileName(name));
    Path fresh = folder.resolve(own.path().getFileName() + "-" + fileName(name));
    Files.deleteIfExists(fresh);
    Files.createSymbolicLink(fresh, socket);
    Files.move(fresh, link, StandardCopyOption.ATOMIC_MOVE);
    announced.put(link, socket);
  }

  /** Makes links again that somebody has removed, but none in place of another. */
  synchronized void restore() throws IOException {
    for (Map.Entry<Path, Path> each : announced.entrySet()) {
      Path link = each.getKey();
      if (Files.notExists(link, LinkOption.NOFOLLOW_LINKS)) {
        make(folder());
        try {
          Files.createSymbolicLink(link, each.getValue());
        } catch (FileAlreadyExistsException e) {
          // of another process, just now
        }
      }
    }
  }

  private static String fileName(String name) {
    return name.replace('/', '_');
  }

  private void make(Path folder) throws IOException {
    try {
      Files.createDirectory(
          folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(RIGHTS)));
    } catch (FileAlreadyExistsException e) {
      if (!isOurs(folder)) {
        throw new IOException("not a folder of this user alone: " + folder, e);
      }
    }
  }

  private boolean isOurs(Path folder) throws IOException {
    return FileFacts.of(folder).isFolderOf(own.userId());
  }

  private void removeThoseThatLeadNowhere(Path folder) throws IOException {
    try (DirectoryStream<Path> links = Files.newDirectoryStream(folder)) {
      for (Path link : links) {
        if (leadsNowhere(link)) {
          removeIfItLeadsNowhere(link);
        }
      }
    }
  }

  private static boolean leadsNowhere(Path link) {
    return Files.isSymbolicLink(link) && Files.notExists(link);
  }

  /** Removes a link that was found to lead nowhere, unless it was announced anew since. */
  void removeIfItLeadsNowhere(Path link) throws IOException {
    if (link.getFileName().toString().contains(GONE)) {
      SharedFolder.delete(link); // nobody makes it anew, and who has moved it deletes it, too
      return;
    }
    try {
      removeIf(link, LocalNames::leadsNowhere);
    } catch (NoSuchFileException e) {
      // another one was faster
    }
  }

  /** The socket that a name leads to, or null. */
  @Nullable Path find(String name) {
    try {
      Path folder = folder();
      Path link = folder.resolve(fileName(name));
      if (!Files.isSymbolicLink(link) || !isOurs(folder)) {
        return null;
      }
      Path socket = Files.readSymbolicLink(link);
      return Files.exists(socket, LinkOption.NOFOLLOW_LINKS) ? socket : null;
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "cannot look for " + name, e);
      return null;
    }
  }

  /** Removes all links that still lead where {@link #announce} has let them lead. */
  synchronized void withdraw() {
    for (Map.Entry<Path, Path> each : announced.entrySet()) {
      withdraw(each.getKey(), each.getValue());
    }
    announced.clear();
  }

  private void withdraw(Path link, Path socket) {
    try {
      if (socket.equals(Files.readSymbolicLink(link))) {
        remove(link, socket);
      }
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "a name stays for now: " + link, e);
    }
  }

  /** Removes a link that has led to this socket, unless another process has announced it since. */
  void remove(Path link, Path socket) throws IOException {
    removeIf(link, taken -> Files.readSymbolicLink(taken).equals(socket));
  }

  /** What is asked of a link that nobody else may change. */
  @FunctionalInterface
  private interface Condition {
    boolean holds(Path link) throws IOException;
  }

  /**
   * Another process may announce the same name between the look at a link and its removal: so the
   * link is moved away first, then looked at, and made anew if it is good, unless there is a newer
   * one.
   */
  private void removeIf(Path link, Condition condition) throws IOException {
    Path taken = link.resolveSibling(own.path().getFileName() + GONE + link.getFileName());
    Files.move(link, taken, StandardCopyOption.ATOMIC_MOVE);
    try {
      if (!condition.holds(taken)) {
        Files.createSymbolicLink(link, Files.readSymbolicLink(taken));
      }
    } catch (FileAlreadyExistsException e) {
      // the newer one
    } finally {
      SharedFolder.delete(taken);
    }
  }
}
