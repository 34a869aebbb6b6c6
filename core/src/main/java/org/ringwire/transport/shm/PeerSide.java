package org.ringwire.transport.shm;

import static org.ringwire.transport.shm.SideLayout.WORD;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * The file of a link that the peer writes, mapped read-only. Every word is a claim: whoever reads
 * it reads it once, and checks it against what this side knows (design rule 19).
 */
final class PeerSide implements AutoCloseable {

  private final PeerFile file;
  private final MemorySegment memory;

  /**
   * The side in a file that is open.
   *
   * @throws IOException if it could not be opened
   */
  PeerSide(PeerFile file) throws IOException {
    this.file = file;
    memory = file.memory();
  }

  /** Which file that is. */
  static PeerFile.Wanted in(Path file) {
    return new PeerFile.Wanted(file, "side", SideLayout.LENGTH, SideLayout.LENGTH);
  }

  /** Descriptors of this side that the peer says it is done with. */
  long consumed() {
    return (long) WORD.getAcquire(memory, SideLayout.CONSUMED);
  }

  /** Odd if the peer's reader sleeps. */
  long sleep() {
    return (long) WORD.getVolatile(memory, SideLayout.SLEEP);
  }

  /** Odd if the peer's writer waits for this side to read. */
  long stall() {
    return (long) WORD.getVolatile(memory, SideLayout.STALL);
  }

  /** First word of a descriptor; what it describes was written before. */
  long word(long number) {
    return (long) WORD.getAcquire(memory, SideLayout.descriptor(number));
  }

  /** Offset in a descriptor. */
  long offset(long number) {
    return (long) WORD.get(memory, SideLayout.descriptor(number) + Long.BYTES);
  }

  /** All of the file. */
  MemorySegment memory() {
    return memory;
  }

  @Override
  public void close() {
    file.close();
  }
}
