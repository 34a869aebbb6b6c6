package org.ringwire.benchmarks.heap;

import org.apache.fory.Fory;
import org.apache.fory.memory.MemoryBuffer;

/** Fory with registered classes, generated serializers and its fastest options. */
final class ForySerializer implements Serializer {
  private final Fory fory;
  private final MemoryBuffer buffer;

  ForySerializer(int room, boolean cycles) {
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
}
