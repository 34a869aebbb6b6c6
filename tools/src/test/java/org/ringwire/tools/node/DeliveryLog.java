package org.ringwire.tools.node;

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
 * How often each message was delivered, in a mapped file: it survives the death of the process that
 * writes it, and is shared by those that follow.
 */
final class DeliveryLog implements AutoCloseable {

  private static final VarHandle COUNT = ValueLayout.JAVA_INT.varHandle();

  private final Arena arena = Arena.ofShared();
  private final MemorySegment counts;

  private DeliveryLog(Path file, int messages) {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      counts =
          channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) messages * Integer.BYTES, arena);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static DeliveryLog open(Path file, int messages) {
    return new DeliveryLog(file, messages);
  }

  /** Any thread of any process. */
  void delivered(long id) {
    int before = (int) COUNT.getAndAdd(counts, id * Integer.BYTES, 1);
    assert before >= 0;
  }

  int count(long id) {
    return (int) COUNT.getVolatile(counts, id * Integer.BYTES);
  }

  @Override
  public void close() {
    arena.close();
  }
}
