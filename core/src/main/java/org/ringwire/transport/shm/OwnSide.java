package org.ringwire.transport.shm;

import static org.ringwire.transport.shm.SideLayout.WORD;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import org.ringwire.ring.NativeMemory;

/**
 * The file of a link that this side writes and the peer only reads. What this side decides upon is
 * never read from it: the positions are kept by those who write them.
 *
 * <p>Descriptors and copies belong to the writer of the link; CONSUMED and SLEEP to who has the
 * role of reading; STALL to the writer, and to the I/O thread while the writer waits for it.
 */
final class OwnSide implements AutoCloseable {

  private final Path file;
  private final NativeMemory.Scope scope;
  private final MemorySegment memory;
  private long sleep;
  private long stall; // guarded by this

  private OwnSide(Path file, NativeMemory.Scope scope, MemorySegment memory) {
    this.file = file;
    this.scope = scope;
    this.memory = memory;
  }

  /** Creates the file. */
  static OwnSide create(SharedFolder folder) throws IOException {
    NativeMemory.Scope scope = NativeMemory.open("shm side");
    boolean created = false;
    try {
      SharedFolder.Mapped mapped = folder.create("side", SideLayout.LENGTH, scope.arena());
      OwnSide side = new OwnSide(mapped.file(), scope, mapped.memory());
      created = true;
      return side;
    } finally {
      if (!created) {
        scope.close();
      }
    }
  }

  /** The file, until the peer has mapped it. */
  Path file() {
    return file;
  }

  /** Copies bytes to where the peer finds them. */
  void copy(MemorySegment source, long from, long to, long length) {
    MemorySegment.copy(source, from, memory, SideLayout.COPIES + to, length);
  }

  /**
   * Copies bytes into a descriptor; those that share a cache line with its first word last. The
   * peer looks at that word all the time: the fewer other lines are written between the first and
   * the last store to its line, the less often that line goes back to the peer in between.
   */
  void copyWithin(MemorySegment source, long from, long number, long length) {
    long to = SideLayout.within(number);
    long first = Math.min(length, SideLayout.WITHIN_FIRST_LINE);
    if (length > first) {
      MemorySegment.copy(source, from + first, memory, to + first, length - first);
    }
    MemorySegment.copy(source, from, memory, to, first);
  }

  /** Writes what belongs to a descriptor's first word, before that. */
  void describe(long number, long offset) {
    WORD.set(memory, SideLayout.descriptor(number) + Long.BYTES, offset);
  }

  /** Writes a descriptor's first word, which publishes it; pairs with {@link PeerSide#word}. */
  void publish(long number, long word) {
    WORD.setRelease(memory, SideLayout.descriptor(number), word);
  }

  /** So many of the peer's were read; pairs with the read in {@link PeerSide#consumed}. */
  void consume(long count) {
    WORD.setRelease(memory, SideLayout.CONSUMED, count);
  }

  /**
   * From now on the peer must ring: after this comes a full fence, which pairs with the peer's
   * after it has published, and then a look for what it has published.
   *
   * @return whether that was not so before
   */
  boolean sleep() {
    boolean wasAwake = (sleep & 1) == 0;
    if (wasAwake) {
      WORD.setRelease(memory, SideLayout.SLEEP, ++sleep);
    }
    return wasAwake;
  }

  /** The peer need not ring; if it hears so late it rings once in vain. */
  void wake() {
    if ((sleep & 1) != 0) {
      WORD.setRelease(memory, SideLayout.SLEEP, ++sleep);
    }
  }

  /**
   * The peer must ring when it has read; look for what it has read after this. Each call announces
   * anew, since the peer rings once for each announcement: the I/O thread may take one back before
   * the writer has made it, which then stands though nobody waits, and is rung for.
   */
  synchronized void stall() {
    stall = (stall + 1) | 1;
    WORD.setVolatile(memory, SideLayout.STALL, stall);
    VarHandle.fullFence(); // before the look that follows; pairs with the peer's after consume
  }

  /** The peer need not ring when it has read. */
  synchronized void unstall() {
    stall = (stall | 1) + 1;
    WORD.setVolatile(memory, SideLayout.STALL, stall);
  }

  @Override
  public void close() {
    scope.close();
  }
}
