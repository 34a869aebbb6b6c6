package org.ringwire.benchmarks.codec;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ringwire.codec.Codec;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;

/** A codec of this library over native memory, as in the ring of a connection. */
final class RingwireTrip implements Trip {
  private static final int ROOM = 64 * 1024;

  private final Codec<Object> codec;
  private final Object message;
  private final MemorySegment memory = Arena.ofAuto().allocate(ROOM, 64);
  private final Writer writer = new Writer();
  private final Reader reader = new Reader();

  @SuppressWarnings("unchecked")
  RingwireTrip(Codec<?> codec, Object message) {
    this.codec = (Codec<Object>) codec;
    this.message = message;
  }

  @Override
  public Object once() {
    int length = codec.length(message);
    writer.wrap(memory, 8, length);
    codec.encode(message, writer);
    reader.wrap(memory, 8, length);
    return codec.decode(reader);
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
    return codec.length(message);
  }
}
