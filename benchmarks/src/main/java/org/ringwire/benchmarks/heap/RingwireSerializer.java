package org.ringwire.benchmarks.heap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.ringwire.heap.HeapCodec;

/** This project's images, in native memory that is kept. */
final class RingwireSerializer implements Serializer {
  private final HeapCodec codec;
  private final MemorySegment memory;
  private long length;

  RingwireSerializer(int room, boolean cycles, List<Class<?>> more) {
    this.memory = Arena.ofAuto().allocate(room, Long.BYTES);
    this.codec =
        HeapCodec.builder()
            .accept(Graph.Point.class, Graph.Pair.class)
            .accept(more.toArray(Class<?>[]::new))
            .detectCycles(cycles)
            .maxBytes(Math.max(1L << 28, room))
            .build();
  }

  @Override
  public long encode(Object graph) {
    length = codec.encode(graph, memory);
    return length;
  }

  @Override
  public Object decode() {
    return Objects.requireNonNull(codec.decode(memory));
  }

  @Override
  public MemorySegment image() {
    return memory.asSlice(0, length);
  }

  @Override
  public Object decode(MemorySegment image) {
    return Objects.requireNonNull(codec.decode(image));
  }
}
