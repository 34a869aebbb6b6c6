package org.ringwire.benchmarks.codec;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;

/**
 * Makes the trips that are compared. Each gets a copy of its class, so that the profiles of one do
 * not disturb the compilation of another although they share a JVM.
 */
final class Trips {
  private Trips() {}

  /** A trip, by codec (hand, generated, kryo, fory, protobuf) and message (small, points). */
  static Trip of(String codec, String message) {
    boolean isSmall =
        switch (message) {
          case "small" -> true;
          case "points" -> false;
          default -> throw new IllegalArgumentException("no such message: " + message);
        };
    Object example = isSmall ? Small.example() : Points.example();
    return switch (codec) {
      case "hand" ->
          ringwire(isSmall ? new HandWritten.SmallCodec() : new HandWritten.PointsCodec(), example);
      case "generated" ->
          ringwire(new MessageCatalog().typeOf(example.getClass()).codec(), example);
      case "kryo" -> copy(KryoTrip.class, MethodType.methodType(void.class, Object.class), example);
      case "fory" -> copy(ForyTrip.class, MethodType.methodType(void.class, Object.class), example);
      case "protobuf" ->
          copy(ProtobufTrip.class, MethodType.methodType(void.class, Object.class), example);
      default -> throw new IllegalArgumentException("no such codec: " + codec);
    };
  }

  private static Trip ringwire(Codec<?> codec, Object example) {
    MethodType constructor = MethodType.methodType(void.class, Codec.class, Object.class);
    return copy(RingwireTrip.class, constructor, codec, example);
  }

  private static Trip copy(
      Class<? extends Trip> type, MethodType constructor, Object... arguments) {
    String resource = type.getSimpleName() + ".class";
    try (InputStream input = type.getResourceAsStream(resource)) {
      if (input == null) {
        throw new IllegalStateException("no class file: " + resource);
      }
      Lookup copy = MethodHandles.lookup().defineHiddenClass(input.readAllBytes(), true);
      return (Trip)
          copy.findConstructor(copy.lookupClass(), constructor).invokeWithArguments(arguments);
    } catch (IOException e) {
      throw new IllegalStateException("class file cannot be read: " + resource, e);
    } catch (Throwable e) {
      throw new IllegalStateException("trip cannot be made: " + type.getSimpleName(), e);
    }
  }
}
