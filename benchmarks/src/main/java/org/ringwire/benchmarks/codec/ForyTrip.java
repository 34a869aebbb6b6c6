package org.ringwire.benchmarks.codec;

import org.apache.fory.Fory;
import org.apache.fory.memory.MemoryBuffer;

/** Fory with registered classes, generated serializers and its fastest options. */
final class ForyTrip implements Trip {
  private static final int ROOM = 64 * 1024;

  private final Fory fory;
  private final MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(ROOM);
  private final Object message;

  ForyTrip(Object message) {
    this.message = message;
    this.fory =
        Fory.builder()
            .withXlang(false)
            .withRefTracking(false)
            .withCompatible(false)
            .withNumberCompressed(false)
            .withCodegen(true)
            .withAsyncCompilation(false)
            .requireClassRegistration(true)
            .build();
    fory.register(Small.class);
    fory.register(Point.class);
    fory.register(Point[].class);
    fory.register(Points.class);
  }

  @Override
  public Object once() {
    buffer.writerIndex(0);
    fory.serialize(buffer, message);
    buffer.readerIndex(0);
    return fory.deserialize(buffer);
  }

  @Override
  public Object run(int count) {
    Object last = message;
    for (int i = 0; i < count; i++) {
      last = once();
    }
    return last;
  }

  @Override
  public int bytes() {
    once();
    return buffer.writerIndex();
  }
}
