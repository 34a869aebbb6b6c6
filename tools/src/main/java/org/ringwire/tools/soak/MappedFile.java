package org.ringwire.tools.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file as memory. What a process has stored belongs to the operating system from that instruction
 * on: it is in the file for whoever looks later, even if the next instruction is never reached
 * because of SIGKILL. (It may be lost when the machine dies; that is not what a soak does.)
 *
 * <p>Any thread. Stores have release and loads acquire order, so that no reader, in this process or
 * another, sees a store before those that came before it.
 */
final class MappedFile implements AutoCloseable {

  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;

  private MappedFile(Path file, FileChannel channel, FileChannel.MapMode mode, long length)
      throws IOException {
    try (channel) {
      memory = channel.map(mode, 0, length, arena);
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw new IOException("cannot map " + file + ": " + e.getMessage(), e);
    }
  }

  /** A new file of zeros; blocks that are never written cost no space. */
  static MappedFile create(Path file, long length) {
    try {
      return new MappedFile(
          file,
          FileChannel.open(
              file,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.SPARSE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE),
          FileChannel.MapMode.READ_WRITE,
          length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file that exists, to be read; its writer may still be at work. */
  static MappedFile open(Path file) {
    try {
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
      return new MappedFile(file, channel, FileChannel.MapMode.READ_ONLY, channel.size());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long get(long offset) {
    return (long) LONG.getAcquire(memory, offset);
  }

  void set(long offset, long value) {
    LONG.setRelease(memory, offset, value);
  }

  long getAndAdd(long offset, long increment) {
    return (long) LONG.getAndAdd(memory, offset, increment);
  }

  /** Raises a value that never falls; returns what it was before. */
  long getAndRaise(long offset, long value) {
    long before = get(offset);
    while (before < value && !LONG.compareAndSet(memory, offset, before, value)) {
      before = get(offset);
    }
    return before;
  }

  /** Sets a bit of a bitmap; false if it was set before. */
  boolean setBit(long bitmap, long index) {
    long mask = 1L << index;
    return ((long) LONG.getAndBitwiseOr(memory, word(bitmap, index), mask) & mask) == 0;
  }

  /** The 64 bits of a bitmap that an index is among. */
  long bits(long bitmap, long index) {
    return get(word(bitmap, index));
  }

  private static long word(long bitmap, long index) {
    return bitmap + (index >>> 6) * Long.BYTES;
  }

  @Override
  public void close() {
    arena.close();
  }
}
