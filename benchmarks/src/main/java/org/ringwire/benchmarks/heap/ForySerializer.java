package org.ringwire.benchmarks.heap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.apache.fory.Fory;
import org.apache.fory.memory.MemoryBuffer;

/** Fory with registered classes, generated serializers and its fastest options. */
final class ForySerializer implements Serializer {
  private final Fory fory;
  private final MemoryBuffer buffer;
  private MemoryBuffer received = MemoryBuffer.newHeapBuffer(0);

  ForySerializer(int room, boolean cycles, List<Class<?>> more) {
    this.buffer = MemoryBuffer.newHeapBuffer(room);
    this.fory =
        Fory.builder()
            .withXlang(false)
            .withRefTracking(cycles)
            .withCompatible(false)
            .withNumberCompressed(false)
            .withCodegen(true)
            .withAsyncCompilation(false)
            .requireClassRegistration(true)
            .build();
    fory.register(Graph.Point.class);
    fory.register(Graph.Point[].class);
    fory.register(Graph.Pair.class);
    fory.register(Graph.Pair[].class);
    more.forEach(fory::register);
  }

  @Override
  public long encode(Object graph) {
    buffer.writerIndex(0);
    fory.serialize(buffer, graph);
    return buffer.writerIndex();
  }

  @Override
  public Object decode() {
    buffer.readerIndex(0);
    return fory.deserialize(buffer);
  }

  @Override
  public MemorySegment image() {
    return MemorySegment.ofArray(buffer.getHeapMemory()).asSlice(0, buffer.writerIndex());
  }

  @Override
  public Object decode(MemorySegment image) {
    int length = (int) image.byteSize();
    if (received.size() < length) {
      received = MemoryBuffer.newHeapBuffer(length);
    }
    MemorySegment.copy(image, ValueLayout.JAVA_BYTE, 0, received.getHeapMemory(), 0, length);
    received.readerIndex(0);
    return fory.deserialize(received);
  }
}
