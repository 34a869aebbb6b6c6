package org.ringwire.benchmarks.heap;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.unsafe.UnsafeInput;
import com.esotericsoftware.kryo.unsafe.UnsafeOutput;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** Kryo 5 with registered classes, and arrays that are kept. */
final class KryoSerializer implements Serializer {
  private final Kryo kryo = new Kryo();
  private final Output output;
  private final Input input;

  private byte[] received = {};

  KryoSerializer(int room, boolean cycles, boolean isUnsafe, List<Class<?>> more) {
    output = isUnsafe ? new UnsafeOutput(room) : new Output(room);
    input = isUnsafe ? new UnsafeInput() : new Input();
    kryo.setRegistrationRequired(true);
    kryo.setReferences(cycles);
    kryo.register(float[].class);
    kryo.register(char[].class);
    kryo.register(Graph.Point.class).setInstantiator(Graph.Point::new);
    kryo.register(Graph.Point[].class);
    kryo.register(Graph.Pair.class).setInstantiator(Graph.Pair::new);
    kryo.register(Graph.Pair[].class);
    kryo.register(ArrayList.class);
    kryo.register(HashMap.class);
    more.forEach(kryo::register);
  }

  @Override
  public long encode(Object graph) {
    output.setPosition(0);
    kryo.writeClassAndObject(output, graph);
    return output.position();
  }

  @Override
  public Object decode() {
    input.setBuffer(output.getBuffer(), 0, output.position());
    return kryo.readClassAndObject(input);
  }

  @Override
  public MemorySegment image() {
    return MemorySegment.ofArray(output.getBuffer()).asSlice(0, output.position());
  }

  @Override
  public Object decode(MemorySegment image) {
    int length = (int) image.byteSize();
    if (received.length < length) {
      received = new byte[length];
    }
    MemorySegment.copy(image, ValueLayout.JAVA_BYTE, 0, received, 0, length);
    input.setBuffer(received, 0, length);
    return kryo.readClassAndObject(input);
  }
}
