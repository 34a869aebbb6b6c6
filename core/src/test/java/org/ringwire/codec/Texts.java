package org.ringwire.codec;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Messages as text with the contents of arrays, which records do not print or compare. */
final class Texts {

  private Texts() {}

  static String of(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Record r -> r.getClass().getSimpleName() + components(r);
      case Object[] a -> Arrays.stream(a).map(Texts::of).toList().toString();
      case Object o when o.getClass().isArray() -> {
        String text = Arrays.deepToString(new Object[] {o});
        yield text.substring(1, text.length() - 1);
      }
      case Map<?, ?> m ->
          m.entrySet().stream()
              .map(e -> of(e.getKey()) + "=" + of(e.getValue()))
              .toList()
              .toString();
      case Collection<?> c -> c.stream().map(Texts::of).toList().toString();
      case Optional<?> o -> "Optional[" + of(o.orElse(null)) + "]";
      default -> value.toString();
    };
  }

  private static String components(Record message) {
    return Arrays.stream(message.getClass().getRecordComponents())
        .map(c -> c.getName() + "=" + of(read(message, c)))
        .toList()
        .toString();
  }

  /** A component of a record. */
  static @Nullable Object component(Record message, String name) {
    return Arrays.stream(message.getClass().getRecordComponents())
        .filter(c -> c.getName().equals(name))
        .map(c -> read(message, c))
        .findFirst()
        .orElseThrow();
  }

  static @Nullable Object read(Record message, RecordComponent component) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(message);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
