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
 * <p>Descriptors and copies belong to the writer of the link; CONSUMED and SLEEP to its I/O thread;
 * STALL to the writer, and to the I/O thread while the writer waits for it.
 */
final class OwnSide implements AutoCloseable {

  private final Path file;
  private final NativeMemory.Scope scope;
  private final MemorySegment memory;
  private long sleep;
  private volatile long stall;

  private OwnSide(Path file, NativeMemory.Scope scope, MemorySegment memory) {
    this.file = file;
    this.scope = scope;
    this.memory = memory;
  }

  /** Creates the file. */
  static OwnSide create(SharedFolder folder) throws IOException {
    NativeMemory.Scope scope = NativeMemory.open("shm side");
    try {
      SharedFolder.Mapped created = folder.create("side", SideLayout.LENGTH, scope.arena());
      return new OwnSide(created.file(), scope, created.memory());
    } catch (IOException | RuntimeException e) {
      scope.close();
      throw e;
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

  /** Writes a descriptor, which the peer sees when it is published. */
  void describe(long number, int kind, long offset, long length) {
    long at = SideLayout.descriptor(number);
    WORD.set(memory, at, SideLayout.word(kind, length));
    WORD.set(memory, at + Long.BYTES, offset);
  }

  /** So many descriptors may be read; pairs with the read in {@link PeerSide#published}. */
  void publish(long count) {
    WORD.setVolatile(memory, SideLayout.PUBLISHED, count);
  }

  /** So many of the peer's were read; pairs with the read in {@link PeerSide#consumed}. */
  void consume(long count) {
    WORD.setVolatile(memory, SideLayout.CONSUMED, count);
  }

  /** From now on the peer must ring; look for what it has published after this. */
  void sleep() {
    if ((sleep & 1) == 0) {
      WORD.setVolatile(memory, SideLayout.SLEEP, ++sleep);
      VarHandle.fullFence(); // before the look that follows; pairs with the peer's after publish
    }
  }

  /** The peer need not ring. */
  void wake() {
    if ((sleep & 1) != 0) {
      WORD.setVolatile(memory, SideLayout.SLEEP, ++sleep);
    }
  }

  /** The peer must ring when it has read; look for what it has read after this. */
  void stall() {
    stall |= 1;
    WORD.setVolatile(memory, SideLayout.STALL, stall);
    VarHandle.fullFence(); // before the look that follows; pairs with the peer's after consume
  }

  /** The peer need not ring when it has read. */
  void unstall() {
    stall = (stall | 1) + 1;
    WORD.setVolatile(memory, SideLayout.STALL, stall);
  }

  @Override
  public void close() {
    scope.close();
  }
}
