package org.ringwire.benchmarks.heap;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.ringwire.heap.HeapCodec;

/** This project's images, in a new array for each. */
final class RingwireArraySerializer implements Serializer {
  private final HeapCodec codec;
  private byte[] image = {};

  RingwireArraySerializer(List<Class<?>> more) {
    this.codec =
        HeapCodec.builder()
            .accept(Graph.Point.class, Graph.Pair.class)
            .accept(more.toArray(new Class<?>[0])) // a lambda would count, too
            .detectCycles(false)
            .build();
  }

  @Override
  public long encode(Object graph) {
    image = codec.encode(graph);
    return image.length;
  }

  @Override
  public Object decode() {
    return Objects.requireNonNull(codec.decode(image));
  }

  @Override
  public MemorySegment image() {
    return MemorySegment.ofArray(image);
  }

  @Override
  public Object decode(MemorySegment other) {
    return Objects.requireNonNull(codec.decode(other));
  }
}
