package org.ringwire.tools.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A folder for temporary files that only this user can read, and that does not outlive its process
 * for ever, even if that is killed: who makes one later deletes those whose process is gone.
 *
 * <p>A file in the folder is locked as long as the process lives; the system ends the lock with it,
 * whatever numbers processes get afterwards. The file gets its name when it is locked already, so a
 * folder that has just been made is never taken for an abandoned one. One without that file is left
 * alone.
 *
 * <p>Nothing is deleted that is a link, belongs to another user, or has other permissions than such
 * folders have. Any thread.
 */
public final class LockedFolder {

  private static final String LOCK = ".lock";

  /**
   * Those of this process, whose locks are not to be tried: closing a file that was opened for that
   * would release the lock.
   */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final @Nullable FileChannel lock;

  private LockedFolder(Path path, @Nullable FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Makes one where temporary files are, and deletes abandoned ones of that prefix. */
  public static LockedFolder create(String prefix) throws IOException {
    return create(Path.of(System.getProperty("java.io.tmpdir")), prefix);
  }

  /** The same within another folder. */
  static LockedFolder create(Path parent, String prefix) throws IOException {
    Path path = Leftovers.folder(parent, prefix);
    OWN.add(path);
    LockedFolder made = new LockedFolder(path, lock(path));
    deleteAbandoned(parent, prefix, attributes(path));
    return made;
  }

  /**
   * Null where files cannot be locked: then nobody deletes the folder of a process that is gone.
   */
  @SuppressWarnings("resource") // is closed with the folder
  private static @Nullable FileChannel lock(Path folder) throws IOException {
    Path unlocked = folder.resolve(LOCK + ".new");
    FileChannel file =
        FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      FileLock _ = file.lock();
      Files.move(unlocked, folder.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
      return file;
    } catch (IOException e) {
      file.close();
      Files.deleteIfExists(unlocked);
      return null;
    }
  }

  /** Null where files have no owners. */
  private static @Nullable PosixFileAttributes attributes(Path path) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    return view == null ? null : view.readAttributes();
  }

  private static void deleteAbandoned(
      Path parent, String prefix, @Nullable PosixFileAttributes own) {
    if (own == null) {
      return;
    }
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, prefix + "*")) {
      for (Path folder : folders) {
        if (!OWN.contains(folder)) {
          deleteIfAbandoned(folder, own);
        }
      }
    } catch (IOException e) {
      return; // another time
    }
  }

  private static void deleteIfAbandoned(Path folder, PosixFileAttributes own) {
    try {
      Path file = folder.resolve(LOCK);
      PosixFileAttributes found = attributes(folder);
      if (found == null
          || !found.isDirectory()
          || !found.owner().equals(own.owner())
          || !found.permissions().equals(own.permissions())
          || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        return;
      }
      try (FileChannel channel =
              FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
          FileLock abandoned = channel.tryLock()) {
        if (abandoned != null) {
          boolean _ = Leftovers.delete(folder);
        }
      }
    } catch (IOException e) {
      return; // it has gone meanwhile, or cannot be deleted
    }
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /**
   * Deletes it with all that is in it.
   *
   * @return whether it is no longer there
   */
  public boolean delete() {
    boolean isGone = Leftovers.delete(path);
    FileChannel file = lock;
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        return false;
      }
    }
    OWN.remove(path);
    return isGone;
  }
}
