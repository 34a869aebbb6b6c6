package org.ringwire.ring;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Zeroed memory that takes a page of the machine when that page is first written. {@link
 * Arena#allocate} writes zeros to all of it at once, so that a ring of a mebibyte costs a mebibyte,
 * however little is ever in it: 9,000 connections that were used within the same ten seconds were
 * 4.4 GiB. Here a ring is a private mapping of a file of zeros. The kernel copies a page when it is
 * written, and all others are the same pages of that file, for all rings. What is unmapped leaves
 * the process at once.
 *
 * <p>The file is made with the first mapping, one per process, in {@code java.io.tmpdir}; nobody
 * can open it by name afterwards, and it has no holes, whose first reading might need room that a
 * file system in memory does not have. Where there can be no such file, and beyond a number of
 * mappings that operating systems allow, there is no lazy memory, and callers allocate. That may
 * pass, as when a process has no descriptors for a moment: so it is tried again after a second, and
 * ever more rarely, since an attempt to map may cost a garbage collection. {@code
 * -Dringwire.lazyMemory=false} makes them allocate always.
 *
 * <p>Any thread. An interrupt during the call closes the file, as it does with any file channel:
 * then this memory is not lazy, and the next one makes another file; what was mapped stays.
 */
final class LazyMemory {

  /** Bytes below which pages are few anyway. */
  static final long SHORTEST = 128 << 10;

  /** Bytes of the longest, and so of the file. */
  static final long LONGEST = 4 << 20;

  /** Linux gives a process 65,530 mappings, of which a thread takes two or three. */
  private static final int MOST_MAPPINGS = 16_384;

  private static final long PAGE = 4 << 10;
  private static final AtomicInteger MAPPINGS = new AtomicInteger();

  /** From a failure to the next attempt; twice as long after each that follows. */
  private static final long PAUSE_NS = 1_000_000_000;

  private static final int MOST_DOUBLINGS = 10;

  private static final boolean WANTED = !"false".equals(System.getProperty("ringwire.lazyMemory"));

  private static volatile int failures; // in a row; written with the class locked, as the next
  private static volatile long againNs; // when to try again, after a failure

  private static @Nullable FileChannel zeros; // guarded by the class, as the next
  private static long written;

  private LazyMemory() {}

  /**
   * Memory aligned to 4 KiB that lives as long as the arena; {@link #unmapped} is called after its
   * end. Null if there can be none.
   */
  static @Nullable MemorySegment map(Arena arena, long length) {
    if (length < SHORTEST || length > LONGEST || !mayTry()) {
      return null;
    }
    MemorySegment memory = null;
    boolean interrupted = Thread.interrupted(); // it would close the file
    try {
      if (MAPPINGS.incrementAndGet() <= MOST_MAPPINGS) {
        memory = mapFile(arena, length);
      }
    } finally {
      if (memory == null) {
        unmapped();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return memory;
  }

  private static boolean mayTry() {
    return WANTED && (failures == 0 || System.nanoTime() - againNs >= 0);
  }

  private static synchronized void failed() {
    if (mayTry()) { // else another thread has failed just now, for the same reason
      againNs = System.nanoTime() + (PAUSE_NS << Math.min(failures, MOST_DOUBLINGS));
      failures++;
    }
  }

  private static synchronized void succeeded() {
    failures = 0;
  }

  private static @Nullable MemorySegment mapFile(Arena arena, long length) {
    try {
      FileChannel file = file(length);
      MemorySegment mapped = file.map(FileChannel.MapMode.PRIVATE, 0, length, arena);
      if (failures != 0) {
        succeeded();
      }
      // A segment of the class that all other native memory is of, which compiled code is used to.
      return MemorySegment.ofBuffer(mapped.asByteBuffer().asLongBuffer());
    } catch (IOException | UnsupportedOperationException e) {
      if (!(e instanceof ClosedChannelException) && !Thread.currentThread().isInterrupted()) {
        failed(); // no such file, or no mapping: not now, and most likely never
      }
      return null;
    }
  }

  private static synchronized FileChannel file(long length) throws IOException {
    FileChannel file = zeros;
    if (file == null || !file.isOpen()) {
      file = openOrDelete(newFile());
      zeros = file;
      written = 0;
    }
    while (written < length) {
      written +=
          file.write(ByteBuffer.allocate((int) Math.min(SHORTEST, length - written)), written);
    }
    return file;
  }

  /**
   * For its owner only, and never what was there, be it a link. Not by the JDK's method for such
   * files: that takes random numbers for their names, which may take seconds where a thread that
   * waits for the network makes the file.
   */
  private static Path newFile() throws IOException {
    String name = "ringwire-" + ThreadLocalRandom.current().nextLong(Long.MAX_VALUE) + ".zeros";
    Path path = Path.of(System.getProperty("java.io.tmpdir", "."), name);
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? Files.createFile(
            path,
            PosixFilePermissions.asFileAttribute(
                Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)))
        : Files.createFile(path);
  }

  private static FileChannel openOrDelete(Path path) throws IOException {
    boolean opened = false;
    try {
      FileChannel file =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      opened = true;
      return file;
    } finally {
      if (!opened) { // whatever was thrown, for want of heap perhaps
        delete(path); // the next attempt makes another one
      }
    }
  }

  private static void delete(Path path) {
    try {
      boolean _ = Files.deleteIfExists(path);
    } catch (IOException | OutOfMemoryError e) {
      // what has come before says more
    }
  }

  /** The arena of a mapping was closed. */
  static void unmapped() {
    MAPPINGS.decrementAndGet();
  }

  /** Mappings that there are. */
  static int mappings() {
    return MAPPINGS.get();
  }

  /** A shared arena whose memory is lazy where that is possible; guarded by itself. */
  static final class LazyArena implements Arena {
    private final Arena own = Arena.ofShared();
    private int mapped;

    @Override
    public synchronized MemorySegment allocate(long byteSize, long byteAlignment) {
      MemorySegment lazy = byteAlignment <= PAGE ? map(own, byteSize) : null;
      if (lazy == null) {
        return own.allocate(byteSize, byteAlignment);
      }
      mapped++;
      return lazy;
    }

    /** Whether what it has allocated will be gone from the process when it is closed. */
    synchronized boolean isMapped() {
      return mapped > 0;
    }

    @Override
    public MemorySegment.Scope scope() {
      return own.scope();
    }

    @Override
    public synchronized void close() {
      own.close();
      for (; mapped > 0; mapped--) {
        unmapped();
      }
    }
  }
}
