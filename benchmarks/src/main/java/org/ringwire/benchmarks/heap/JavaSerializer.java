package org.ringwire.benchmarks.heap;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What the JDK has, with an array that is kept. */
final class JavaSerializer implements Serializer {
  private final Kept output;

  private static final class Kept extends ByteArrayOutputStream {
    Kept(int room) {
      super(room);
    }

    MemorySegment image() {
      return MemorySegment.ofArray(buf).asSlice(0, count);
    }

    ByteArrayInputStream input() {
      return new ByteArrayInputStream(buf, 0, count);
    }
  }

  JavaSerializer(int room) {
    this.output = new Kept(room);
  }

  @Override
  public long encode(Object graph) {
    output.reset();
    try (ObjectOutputStream stream = new ObjectOutputStream(output)) {
      stream.writeObject(graph);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return output.size();
  }

  @Override
  public Object decode() {
    return decode(output.input());
  }

  @Override
  public MemorySegment image() {
    return output.image();
  }

  @Override
  public Object decode(MemorySegment image) {
    return decode(new ByteArrayInputStream(image.toArray(ValueLayout.JAVA_BYTE)));
  }

  @SuppressWarnings("BanSerializableRead") // of what it has written itself
  private static Object decode(ByteArrayInputStream input) {
    try (ObjectInputStream stream = new ObjectInputStream(input)) {
      return stream.readObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("a class of its own is missing", e);
    }
  }
}
