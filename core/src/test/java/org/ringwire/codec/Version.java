package org.ringwire.codec;

import java.lang.reflect.Constructor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.ringwire.testing.Sources;

/** One version of the types in {@code v.Types}. */
final class Version {
  final ClassLoader loader;
  final MessageCatalog catalog = new MessageCatalog();

  Version(String types) {
    loader =
        Sources.compile(
            "v.Types",
            """
            package v;
            import java.time.*;
            import java.util.*;
            import org.ringwire.codec.*;
            public interface Types {
            %s
            }
            """
                .formatted(types));
  }

  Class<?> type(String name) {
    try {
      return Class.forName("v.Types$" + name, true, loader);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  Object make(String name, @Nullable Object... values) {
    Constructor<?> constructor = type(name).getDeclaredConstructors()[0];
    try {
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(name, e);
    }
  }

  Object constant(String type, String name) {
    return Arrays.stream(type(type).getEnumConstants())
        .filter(constant -> ((Enum<?>) constant).name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @SuppressWarnings("unchecked")
  byte[] encode(Object message) {
    Codec<Object> codec = (Codec<Object>) catalog.typeOf(message.getClass()).codec();
    return Codecs.encode(codec, message);
  }

  Codec<?> codecFor(Version writer, String name) {
    Schema written = Schema.parse(writer.catalog.typeOf(writer.type(name)).schema().toBytes());
    return catalog.typeOf(type(name)).codecFor(written);
  }

  /** What this version makes of a message of another one, as text. */
  String read(Version writer, Object message) {
    Codec<?> codec = codecFor(writer, message.getClass().getSimpleName());
    return Texts.of(Codecs.decode(codec, writer.encode(message)));
  }
}
