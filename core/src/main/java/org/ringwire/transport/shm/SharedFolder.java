package org.ringwire.transport.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.ringwire.transport.selector.DescriptorLimit;
import org.ringwire.transport.support.TransportLog;
import org.ringwire.transport.support.TransportThreads;

/**
 * The folder of one transport, in memory, for its owner only (access rights 0700, its files 0600).
 * Names live as long as the peer needs them to map the files; pages live as long as somebody has
 * them mapped. A lock tells others that the owner lives: what processes have left behind that were
 * killed is removed by the next one that opens a folder. What somebody else has removed is made
 * again ({@link #restore}). Any thread.
 */
final class SharedFolder implements AutoCloseable {

  /**
   * How a file is opened that may be something else than a moment ago: a link is not followed, and
   * the end of a pipe that is opened for both is not waited for, and has no length.
   */
  private static final Set<OpenOption> OPEN =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  private static final Path MEMORY = Path.of("/dev/shm");

  /** Begin of the names of all folders. */
  static final String PREFIX = "ringwire-";

  private static final String LOCK = "lock";

  /** For people: who else removes files. */
  private static final String CLEANERS =
      "something has removed it, as systemd does when its user has logged out";

  /** What {@link Files#createTempDirectory} makes of that, and nobody else here. */
  private static final Pattern NAME = Pattern.compile(PREFIX + "\\d+");

  /** A folder that is younger may not have its lock yet. */
  private static final long FRESH_MS = 60_000;

  /** How long a folder waits for others that are removed. */
  private static final long LEFTOVERS_NS = 2_000_000_000;

  private static final OwnFolders OWN = new OwnFolders();
  private static final int ZEROS_LENGTH = 64 << 10;
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> FOLDER_OF_OWNER =
      PosixFilePermissions.fromString("rwx------");
  private static final TransportLog LOG = TransportLog.of(SharedFolder.class);

  private final Path folder;
  private final int userId; // also when the folder is gone
  private FileChannel lock; // guarded by this, as the next
  private boolean closed;
  private final AtomicLong names = new AtomicLong();
  private final SpareDescriptor spare = new SpareDescriptor();

  private SharedFolder(Path folder, int userId, FileChannel lock) {
    this.folder = folder;
    this.userId = userId;
    this.lock = lock;
  }

  /**
   * A new file and its memory.
   *
   * @param file what the peer maps
   * @param memory zeroed; lives as long as its arena
   */
  record Mapped(Path file, MemorySegment memory) {}

  /** Makes a folder, and removes those of this user whose processes are gone. */
  static SharedFolder open() throws IOException {
    return open(
        Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir", "/tmp")));
  }

  /** The same in another folder than all others use; tests only. */
  static SharedFolder open(Path base) throws IOException {
    SharedFolder opened =
        despiteInterrupts(() -> {
          try {
            return tryOpen(base);
          } catch (NoSuchFileException e) { // it stood still, and was taken for one that is gone
            return tryOpen(base);
          }
        });
    opened.removeLeftovers(base);
    return opened;
  }

  private static SharedFolder tryOpen(Path base) throws IOException {
    Path folder =
        Files.createTempDirectory(
            base, PREFIX, PosixFilePermissions.asFileAttribute(FOLDER_OF_OWNER));
    boolean made = false;
    try {
      OWN.add(folder);
      int userId = FileFacts.of(folder).userId();
      SharedFolder opened = new SharedFolder(folder, userId, locked(folder.resolve(LOCK)));
      made = true;
      return opened;
    } finally {
      if (!made) { // there may have been no heap
        remove(folder);
        OWN.remove(folder);
      }
    }
  }

  private static FileChannel locked(Path file) throws IOException {
    FileChannel lock =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      FileLock _ = lock.lock();
      return lock;
    } catch (IOException e) {
      lock.close();
      throw e;
    }
  }

  /** The folder itself. */
  Path path() {
    return folder;
  }

  /** Where this folder is, beside those of other transports. */
  Path base() {
    Path base = folder.getParent();
    return base == null ? folder : base;
  }

  /** The number of the user whose folder it is. */
  int userId() {
    return userId;
  }

  /**
   * Makes the folder and its lock again if somebody has removed them. What else was in it is for
   * those who have put it there.
   *
   * @throws IOException if that cannot be, or something else has taken the place
   */
  void restore() throws IOException {
    if (Files.notExists(folder.resolve(LOCK), LinkOption.NOFOLLOW_LINKS)) {
      despiteInterrupts(() -> {
        lockAgain();
        return folder;
      });
    }
  }

  private synchronized void lockAgain() throws IOException {
    if (closed) {
      return;
    }
    try {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(FOLDER_OF_OWNER));
    } catch (FileAlreadyExistsException e) {
      if (!FileFacts.of(folder).isFolderOf(userId)) { // anybody can see what it was called
        throw new IOException("not a folder of this user alone: " + folder, e);
      }
    }
    FileChannel old = lock;
    try {
      lock = locked(folder.resolve(LOCK));
    } catch (IOException e) { // such as an interrupt
      delete(folder.resolve(LOCK));
      throw e;
    }
    old.close(); // of a file that is no more, whose locks are not those of the new one
  }

  /** A path for something else in the folder. */
  Path resolve(String name) {
    return folder.resolve(name);
  }

  /**
   * Creates a file. Its pages are written at once: memory that is promised and not there would end
   * the process that touches it later.
   *
   * @param kind begin of its name
   * @throws IOException if there is not enough memory, among other things
   */
  Mapped create(String kind, long length, Arena arena) throws IOException {
    return despiteInterrupts(new Creation(this, kind, length, length, arena));
  }

  /** The same of a file that has no pages, which nobody may touch; its memory is not for use. */
  Path createHollow(String kind, long length, Arena arena) throws IOException {
    return despiteInterrupts(new Creation(this, kind, 0, length, arena)).file();
  }

  /** What uses a file that an interrupt closes. */
  @FunctionalInterface
  interface FileUse<T> {
    T use() throws IOException;
  }

  /*
   * Classes, as these are used when a link opens, or its ring wakes: a lambda that finds no heap
   * where it comes first may be lost for as long as the process lives.
   */

  record Creation(SharedFolder folder, String kind, long written, long length, Arena arena)
      implements FileUse<Mapped> {
    @Override
    public Mapped use() throws IOException {
      return folder.tryCreate(kind, written, length, arena);
    }
  }

  record Mapping(Path file, long least, long most, Arena arena) implements FileUse<MemorySegment> {
    @Override
    public MemorySegment use() throws IOException {
      return tryMap(file, least, most, arena);
    }
  }

  record DespiteInterrupts<T>(FileUse<T> what) implements FileUse<T> {
    @Override
    public T use() throws IOException {
      return despiteInterrupts(what);
    }
  }

  /**
   * Tries again after an interrupt, whose status is kept: whoever maps, or opens a node, may be
   * anybody's thread.
   */
  private static <T> T despiteInterrupts(FileUse<T> use) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return use.use();
        } catch (ClosedByInterruptException | FileLockInterruptionException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Mapped tryCreate(String kind, long written, long length, Arena arena) throws IOException {
    Path file = folder.resolve(kind + "-" + names.incrementAndGet());
    boolean created = false;
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
      ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(written, ZEROS_LENGTH));
      for (long position = 0; position < written; position = channel.position()) {
        channel.write(zeros.limit((int) Math.min(zeros.capacity(), written - position)).rewind());
      }
      Mapped mapped = new Mapped(file, plain(channel.map(MapMode.READ_WRITE, 0, length, arena)));
      created = true;
      return mapped;
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(
          "no shared memory: "
              + file
              + ", "
              + length
              + " bytes: "
              + DescriptorLimit.explain(
                  e,
                  Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)
                      ? "the folder is gone: " + CLEANERS
                      : "is there room in " + folder.getParent() + "?"),
          e);
    } finally {
      if (!created) { // there may have been no heap
        delete(file);
      }
    }
  }

  /**
   * Maps a file of another folder like this, read-only.
   *
   * @param kind begin of its name
   * @param least of its length in bytes
   * @param most of its length in bytes
   * @throws IOException if it is none, or not of this process's user, or has no name any more
   */
  MemorySegment map(Path file, String kind, long least, long most, Arena arena) throws IOException {
    try {
      return mapNamed(file, kind, least, most, arena);
    } catch (NoSuchFileException e) {
      throw new IOException(
          "memory of a peer has no name any more: "
              + e.getFile()
              + " (the peer has given up, or "
              + CLEANERS
              + ")",
          e);
    }
  }

  private MemorySegment mapNamed(Path file, String kind, long least, long most, Arena arena)
      throws IOException {
    Path parent = file.getParent();
    Path folderName = parent == null ? null : parent.getFileName(); // the root has none
    if (folderName == null
        || !file.equals(file.normalize().toAbsolutePath())
        || !folderName.toString().startsWith(PREFIX)
        || !file.getFileName().toString().startsWith(kind + "-")) {
      throw new IOException("not a file of a peer that shares memory: " + file);
    }
    FileFacts found = FileFacts.of(file);
    if (!found.isFileOf(userId)) {
      throw new IOException("not a file of this user: " + file + ", owner " + found.userId());
    }
    return spare.serve(new DespiteInterrupts<>(new Mapping(file, least, most, arena)));
  }

  private static MemorySegment tryMap(Path file, long least, long most, Arena arena)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file, OPEN)) {
      long length = channel.size();
      if (length < least || length > most) {
        throw new IOException("a file of a strange length: " + file + ", " + length + " bytes");
      }
      return plain(channel.map(MapMode.READ_ONLY, 0, length, arena));
    }
  }

  /**
   * The same memory as a segment of the class that all other native memory is of: compiled code
   * that meets a second class of segments looks, at each access, which of them it is. The length is
   * rounded down to whole words.
   */
  private static MemorySegment plain(MemorySegment mapped) {
    return MemorySegment.ofBuffer(mapped.asByteBuffer().asLongBuffer());
  }

  /** Removes a file's name; the memory lives on where it is mapped. */
  static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "cannot delete " + file, e);
    }
  }

  /** By another thread: who holds a lease on a file lets others wait that open it. */
  private void removeLeftovers(Path base) {
    try {
      Thread remover =
          Thread.ofPlatform()
              .name("ringwire-leftovers")
              .daemon()
              .inheritInheritableThreadLocals(false)
              .start(() -> lookForLeftovers(base));
      boolean _ = TransportThreads.awaitEnd(remover, LEFTOVERS_NS);
    } catch (OutOfMemoryError e) {
      LOG.log(System.Logger.Level.DEBUG, "leftovers in " + base + " stay", e);
    }
  }

  private void lookForLeftovers(Path base) {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(base, PREFIX + "*")) {
      for (Path found : folders) {
        if (!OWN.contains(found)) {
          if (isAbandoned(found, userId)) {
            remove(found);
          } else {
            removeEmpty(found, userId);
          }
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "leftovers in " + base + " stay", e);
    }
  }

  /**
   * Whether nobody holds the lock of a folder. Everybody may put things beside the folders: what is
   * looked into is this user's and closed to others, who then cannot change what was looked at, and
   * nothing is followed. Those of this process, whichever class loader's, are not looked at:
   * closing a file, however opened, gives up the locks that its process has on it.
   */
  private static boolean isAbandoned(Path found, int userId) {
    Path file = found.resolve(LOCK);
    try {
      if (!FileFacts.of(found).isFolderOf(userId)) {
        return false;
      }
      FileFacts inside = FileFacts.of(file);
      long ageMs = System.currentTimeMillis() - inside.modifiedMs();
      if (!inside.isFileOf(userId) || ageMs < FRESH_MS) {
        return false;
      }
    } catch (IOException e) {
      return false; // being made or removed
    }
    try (FileChannel channel = FileChannel.open(file, OPEN);
        FileLock taken = channel.tryLock()) {
      return taken != null;
    } catch (IOException | OverlappingFileLockException e) {
      return false;
    }
  }

  /**
   * Of a process that was killed before its folder had a lock, or when it had none any more. A
   * folder with anything in it is not removed, nor is one that may still be made.
   */
  private static void removeEmpty(Path found, int userId) {
    try {
      FileFacts facts = FileFacts.of(found);
      if (NAME.matcher(found.getFileName().toString()).matches()
          && facts.isFolderOf(userId)
          && System.currentTimeMillis() - facts.modifiedMs() >= FRESH_MS) {
        Files.delete(found);
      }
    } catch (IOException e) {
      // not empty, or removed by another
    }
  }

  /**
   * Removes a folder; its lock last, and when all else is gone: nobody would ever go on with files
   * in a folder without one, which this may leave for want of a file descriptor or because its
   * process is killed.
   */
  private static void remove(Path folder) {
    Path lock = folder.resolve(LOCK);
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder)) {
      for (Path each : found) {
        files.add(each);
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "cannot list " + folder, e);
      return;
    }
    files.remove(lock);
    boolean allGone = true;
    for (Path each : files) {
      delete(each);
      allGone &= Files.notExists(each, LinkOption.NOFOLLOW_LINKS);
    }
    if (allGone) {
      delete(lock);
      delete(folder);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    try (FileChannel _ = lock) {
      spare.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "cannot close the lock of " + folder, e);
    } finally { // there may be no heap
      remove(folder); // with the descriptors of both: without one its files are not found
      OWN.remove(folder);
    }
  }
}
