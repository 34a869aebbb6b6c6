package org.ringwire.transport.shm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;

/**
 * The files that the rings of a transport are in, found by the address of their memory. A file
 * keeps its name until the peer has mapped it, or, if its link has ended before, until a while
 * after its memory was freed: the peer may still be about to read what was written last. Any
 * thread.
 */
final class RingFiles {

  /** How long a name stays when the memory is freed: the peer may be about to map it. */
  static final long KEEP_NS = 1_000_000_000;

  /** Bytes of a cache line; where they are longer, each is written to more than once. */
  private static final long LINE = 64;

  private final SharedFolder folder;
  private final Map<Long, RingFile> rings = new ConcurrentHashMap<>();

  /** Those whose memory was freed, and where another one is now. */
  private final Queue<RingFile> displaced = new ConcurrentLinkedQueue<>();

  RingFiles(SharedFolder folder) {
    this.folder = folder;
  }

  /** A ring's file. */
  static final class RingFile {
    private final Path file;
    private final MemorySegment memory;
    private boolean freed; // guarded by the list, as is the next
    private long seenFreedNs;

    private RingFile(Path file, MemorySegment memory) {
      this.file = file;
      this.memory = memory;
    }

    /** One whose memory is gone. */
    private RingFile(Path file, MemorySegment memory, long freedNs) {
      this(file, memory);
      freed = true;
      seenFreedNs = freedNs;
    }

    /** What the peer maps. */
    Path file() {
      return file;
    }

    /**
     * Whether this memory is the ring: segments are equal where their addresses are, and that of a
     * ring that was freed is soon the one of the next.
     */
    boolean isAt(MemorySegment other) {
      return memory.equals(other) && memory.scope().equals(other.scope());
    }

    /**
     * Writes a zero to each cache line of a part that the peer has read and that is nobody's now,
     * so that the lines are in the cache of this processor when frames are encoded there. All of
     * them are on their way at once; a producer would wait for those of each frame by itself, as
     * the locked instruction of its next claim waits for all stores before it. What lies around the
     * part is left alone.
     */
    void takeLines(long offset, long length) {
      long end = (offset + length) & -LINE;
      for (long line = (offset + LINE - 1) & -LINE; line < end; line += LINE) {
        memory.set(ValueLayout.JAVA_LONG, line, 0);
      }
    }
  }

  /** Zeroed memory in a file of its own. */
  MemorySegment allocate(Arena arena, long capacity) {
    try {
      SharedFolder.Mapped created = folder.create("ring", capacity, arena);
      boolean kept = false;
      try {
        keep(created);
        kept = true;
      } finally {
        if (!kept) { // nobody would remove its name
          SharedFolder.delete(created.file());
        }
      }
      return created.memory();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void keep(SharedFolder.Mapped created) {
    MemorySegment memory = created.memory();
    RingFile before = rings.put(memory.address(), new RingFile(created.file(), memory));
    if (before != null) { // its memory was freed, and its place is taken again
      displaced.add(before);
    }
  }

  /**
   * A file that is as short as a ring may be, for a peer to map in place of one whose memory is
   * given back. It takes no page, which there may not be before that memory has gone. Who asks for
   * it removes its name, or {@linkplain #forget has} that done.
   */
  Path shortest() throws IOException {
    try (NativeMemory.Scope scope = NativeMemory.open("shortest ring")) {
      return folder.createHollow("ring", OutboundRing.MIN_CAPACITY, scope.arena());
    }
  }

  /** Removes the name of such a file after a while: its link has ended. */
  void forget(Path shortest) {
    displaced.add(new RingFile(shortest, MemorySegment.NULL, System.nanoTime()));
  }

  /** The file that this memory is, or null if it is other memory. */
  @Nullable RingFile find(MemorySegment memory) {
    RingFile found = memory.isNative() ? rings.get(memory.address()) : null;
    return found != null && found.isAt(memory) ? found : null;
  }

  /** Removes the names of files whose memory was found to be freed a while ago. */
  synchronized void trim(long nowNs) {
    rings.forEach((address, ring) -> {
      if (isOver(ring, nowNs)) {
        rings.remove(address, ring); // that one: its place may be another's by now
      }
    });
    displaced.removeIf(ring -> isOver(ring, nowNs));
  }

  /** Whether its name was removed. */
  private static boolean isOver(RingFile ring, long nowNs) {
    if (!ring.freed) {
      ring.freed = !ring.memory.scope().isAlive();
      ring.seenFreedNs = nowNs;
      return false;
    }
    if (nowNs - ring.seenFreedNs < KEEP_NS) {
      return false;
    }
    SharedFolder.delete(ring.file);
    return true;
  }
}
