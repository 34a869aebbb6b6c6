package org.ringwire.transport.shm;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.Pause;

/**
 * A socket at whose path nobody listens: a process has left it behind that was killed. Several may
 * find it at the same time, and the first of them listens there before the others remove what they
 * have found. So each removes the one that it has found, and no other.
 *
 * @param path where it was found
 * @param key what else may be there by now is another, or was made later: numbers are used again
 * @param made when
 */
record DeadSocket(Path path, @Nullable Object key, FileTime made) {

  /** Who is about to listen has bound its path for a moment, and refuses as a dead one does. */
  private static final long FRESH_NS = 250_000_000;

  private static final long LOOK_NS = 10_000_000;

  private static DeadSocket at(Path path) throws IOException {
    BasicFileAttributes found =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return new DeadSocket(path, found.fileKey(), found.lastModifiedTime());
  }

  /** The one at a path; null if there is none, or something else, or if somebody may listen. */
  static @Nullable DeadSocket find(Path path) throws IOException {
    return find(path, FRESH_NS);
  }

  /**
   * The same.
   *
   * @param freshNs how long one may refuse, and be waited for, that was just made
   */
  static @Nullable DeadSocket find(Path path, long freshNs) throws IOException {
    long endNs = System.nanoTime() + freshNs;
    boolean interrupted = false;
    try {
      while (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && ShmTransport.isSocket(path)) {
        DeadSocket found = at(path); // before the look whether somebody listens
        if (!refuses(path)) {
          return null;
        }
        if (found.ageMs() * 1_000_000 >= freshNs || System.nanoTime() - endNs >= 0) {
          return found;
        }
        Pause.blocked(found, LOOK_NS);
        interrupted |= Thread.interrupted(); // with its status set, no thread parks
      }
    } catch (NoSuchFileException e) {
      // another one was faster
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return null;
  }

  private static boolean refuses(Path path) {
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.configureBlocking(false);
      boolean _ = probe.connect(UnixDomainSocketAddress.of(path));
      return false;
    } catch (ConnectException e) {
      return true; // nobody listens
    } catch (IOException e) {
      return false; // there may be somebody, who is busy, or whom this process may not ask
    }
  }

  private long ageMs() {
    return System.currentTimeMillis() - made.toMillis();
  }

  /**
   * Removes it, unless it was removed since. It is moved away for that, and then looked at: what
   * another process has put in its place comes back, unless something newer is there.
   *
   * @param away a path beside it that nobody else uses
   */
  void remove(Path away) throws IOException {
    try {
      Files.move(path, away, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      return; // another one was faster
    }
    try {
      DeadSocket taken = at(away);
      if (!Objects.equals(key, taken.key) || !made.equals(taken.made)) {
        Files.createLink(path, away);
      }
    } catch (FileAlreadyExistsException e) {
      // the newer one
    } finally {
      SharedFolder.delete(away);
    }
  }
}
