package org.ringwire.benchmarks.heap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.ringwire.heap.HeapCodec;

/** This project's images, in native memory that is kept. */
final class RingwireSerializer implements Serializer {
  private final HeapCodec codec;
  private final MemorySegment memory;

  RingwireSerializer(int room, boolean cycles) {
    this.memory = Arena.ofAuto().allocate(room, Long.BYTES);
    this.codec =
        HeapCodec.builder()
            .accept(Graph.Point.class, Graph.Pair.class)
            .detectCycles(cycles)
            .maxBytes(Math.max(1L << 28, room))
            .build();
  }

  @Override
  public long encode(Object graph) {
    return codec.encode(graph, memory);
  }

  @Override
  public Object decode() {
    return Objects.requireNonNull(codec.decode(memory));
  }
}
