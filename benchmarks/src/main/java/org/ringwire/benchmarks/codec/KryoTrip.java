package org.ringwire.benchmarks.codec;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/** Kryo 5 with registered classes, no references, and arrays that are kept. */
final class KryoTrip implements Trip {
  private static final int ROOM = 64 * 1024;

  private final Kryo kryo = new Kryo();
  private final Output output = new Output(ROOM);
  private final Input input = new Input();
  private final Object message;

  KryoTrip(Object message) {
    this.message = message;
    kryo.setRegistrationRequired(true);
    kryo.setReferences(false);
    kryo.register(Small.class);
    kryo.register(Point.class);
    kryo.register(Point[].class);
    kryo.register(Points.class);
  }

  @Override
  public Object once() {
    output.setPosition(0);
    kryo.writeClassAndObject(output, message);
    input.setBuffer(output.getBuffer(), 0, output.position());
    return kryo.readClassAndObject(input);
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
    return output.position();
  }
}
