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
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.Pause;

/**
 * A socket at whose path nobody listens: a process has left it behind that was killed. Several may
 * find it at the same time, and the first of them listens there before the others remove what they
 * have found. So what is removed is what was found, by one of them at a time.
 *
 * @param path where it was found
 * @param key what else may be there by now is another, or was made later: numbers are used again
 * @param made when
 */
record DeadSocket(Path path, @Nullable Object key, FileTime made) {

  /** Who is about to listen has bound its path for a moment, and refuses as a dead one does. */
  private static final long FRESH_NS = 250_000_000;

  private static final long LOOK_NS = 1_000_000;

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
    try {
      while (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && ShmTransport.isSocket(path)) {
        DeadSocket found = at(path); // before the look whether somebody listens
        if (!refuses(path)) {
          return null;
        }
        if (found.ageMs() * 1_000_000 >= freshNs || System.nanoTime() - endNs >= 0) {
          return found;
        }
        found.await();
      }
    } catch (NoSuchFileException e) {
      // another one was faster
    }
    return null;
  }

  /** For a moment; the status of an interrupt, with which no thread parks, is kept. */
  private void await() {
    boolean interrupted = Thread.interrupted();
    Pause.blocked(this, LOOK_NS);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
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

  private boolean isThere() throws IOException {
    try {
      return equals(at(path));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Removes it, unless it was removed since, or waits for who is about to. */
  void remove() throws IOException {
    long endNs = System.nanoTime() + FRESH_NS;
    while (isThere() && !tryRemove()) {
      await();
      if (System.nanoTime() - endNs >= 0) {
        SharedFolder.delete(claim()); // of a process that was killed in the middle of that
        endNs = System.nanoTime() + FRESH_NS;
      }
    }
  }

  /** A second name for it, which one process at a time can make. */
  Path claim() {
    String number = Integer.toHexString(Objects.hash(String.valueOf(key), made));
    return path.resolveSibling(path.getFileName() + "-gone-" + number);
  }

  /**
   * While this process has the claim nobody else removes what is there, and while that is there
   * nobody else can bind the path: so what is looked at is what is removed.
   *
   * @return false if another one has the claim
   */
  private boolean tryRemove() throws IOException {
    Path claim = claim();
    try {
      Files.createLink(claim, path);
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (NoSuchFileException e) {
      return true; // another one was faster
    } catch (IOException | UnsupportedOperationException e) { // no second names here
      boolean _ = Files.deleteIfExists(path);
      return true;
    }
    try {
      if (isThere()) {
        boolean _ = Files.deleteIfExists(path);
      }
    } finally {
      SharedFolder.delete(claim);
    }
    return true;
  }
}
