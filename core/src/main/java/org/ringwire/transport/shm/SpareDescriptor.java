package org.ringwire.transport.shm;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file descriptor that is kept, unused, for what must open a file and close it again though the
 * process has no other: a link that exists is not to end because a ring of its peer woke at such a
 * moment. Any thread.
 */
final class SpareDescriptor implements AutoCloseable {

  private static final Path ANY = Path.of("/dev/null");

  private volatile @Nullable FileChannel spare; // written under the lock
  private boolean closed; // guarded by this

  SpareDescriptor() {
    take();
  }

  /**
   * Uses a file that is opened and closed again; if that fails, once more without the spare
   * descriptor, if there is one.
   */
  <T> T serve(SharedFolder.FileUse<T> use) throws IOException {
    T result;
    try {
      result = use.use();
    } catch (IOException e) {
      return serveInPlace(use, e);
    }
    if (spare == null) { // somebody was faster when it was to be taken again
      take();
    }
    return result;
  }

  private synchronized <T> T serveInPlace(SharedFolder.FileUse<T> use, IOException failure)
      throws IOException {
    if (!giveUp()) {
      throw failure;
    }
    try {
      return use.use();
    } finally {
      take();
    }
  }

  private synchronized void take() {
    if (spare == null && !closed) {
      try {
        spare = FileChannel.open(ANY, StandardOpenOption.READ);
      } catch (IOException e) {
        // there is none to spare
      }
    }
  }

  private synchronized boolean giveUp() throws IOException {
    FileChannel held = spare;
    spare = null;
    if (held == null) {
      return false;
    }
    held.close();
    return true;
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    boolean _ = giveUp();
  }
}
