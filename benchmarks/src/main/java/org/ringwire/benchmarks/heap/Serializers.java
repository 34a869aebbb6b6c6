package org.ringwire.benchmarks.heap;

import java.util.ArrayList;
import java.util.List;

/** All serializers by name. */
public final class Serializers {
  static final List<String> NAMES = List.of("ringwire", "kryo", "kryo-unsafe", "fory", "java");

  /** This project's images in arrays, as those of the others are, and in native memory. */
  static final List<String> COLD_NAMES =
      List.of("ringwire", "ringwire-memory", "kryo", "kryo-unsafe", "fory", "java");

  static final String COPY = "copy";
  static final String CONSTRUCT = "construct";

  private static final int LEAST_ROOM = 1 << 16;
  private static final int ROOM_PER_ELEMENT = 64;

  private Serializers() {}

  /** The names of all, and of what no serializer of a shape can be faster than. */
  static List<String> namesWithBound(String shape) {
    List<String> names = new ArrayList<>(NAMES);
    if (shape.equals("floats")) {
      names.add(COPY);
    } else if (shape.equals("points") || shape.equals("pairs")) {
      names.add(CONSTRUCT);
    }
    return names;
  }

  /** One for the first graphs of a JVM. */
  static Serializer cold(String name, String shape, int elements) {
    return switch (name) {
      case "ringwire" -> new RingwireArraySerializer(GeneratedClass.typesOf(shape));
      case "ringwire-memory" -> of("ringwire", shape, elements, false);
      default -> of(name, shape, elements, false);
    };
  }

  /** One with room for graphs of a shape and length. */
  public static Serializer of(String name, String shape, int elements, boolean cycles) {
    int room = Math.addExact(LEAST_ROOM, Math.multiplyExact(ROOM_PER_ELEMENT, elements));
    List<Class<?>> more = GeneratedClass.typesOf(shape);
    return switch (name) {
      case "ringwire" -> new RingwireSerializer(room, cycles, more);
      case "kryo" -> new KryoSerializer(room, cycles, false, more);
      case "kryo-unsafe" -> new KryoSerializer(room, cycles, true, more);
      case "fory" -> new ForySerializer(room, cycles, more);
      case "java" -> new JavaSerializer(room);
      case COPY -> new CopyBound();
      case CONSTRUCT -> new ConstructBound(shape, elements);
      default -> throw new IllegalArgumentException("no such serializer: " + name);
    };
  }
}
