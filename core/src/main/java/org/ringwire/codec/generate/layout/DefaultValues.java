package org.ringwire.codec.generate.layout;

import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.Default;

/** What components are when a writer does not have them. Stateless. */
final class DefaultValues {

  private DefaultValues() {}

  /**
   * The declared default, or that of the type; null for the zero of a primitive, too.
   *
   * @throws IllegalArgumentException if the declared default does not fit the type
   */
  static @Nullable Object of(RecordComponent component, Layout layout, String place) {
    Default declared = component.getAnnotation(Default.class);
    if (declared == null) {
      return layout instanceof Layout.Maybe ? Optional.empty() : null;
    }
    String text = declared.value();
    try {
      return parse(layout, text);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new IllegalArgumentException(
          place + ": @Default(\"" + text + "\") is no " + layout.text() + ": " + e.getMessage(), e);
    }
  }

  /** Empty collections answer for null, unlike those of {@code List.of()}: as received ones do. */
  private static Object parse(Layout layout, String text) {
    return switch (layout) {
      case Layout.Scalar(Primitive primitive, boolean _) -> number(primitive, text);
      case Layout.CompactNumber(Primitive primitive) -> number(primitive, text);
      case Layout.Value.STRING -> text;
      case Layout.Value.UUID_VALUE -> UUID.fromString(text);
      case Layout.Value.INSTANT -> Instant.parse(text);
      case Layout.Value.DURATION -> Duration.parse(text);
      case Layout.Constant constant -> constant(constant.type(), text);
      case Layout.Maybe maybe -> Optional.of(parse(maybe.value(), text));
      case Layout.PrimitiveArray array ->
          empty(text, Array.newInstance(array.primitive().type(), 0));
      case Layout.Dictionary _ -> empty(text, Collections.emptyMap());
      case Layout.Sequence sequence ->
          empty(
              text,
              switch (sequence.container()) {
                case ARRAY -> Array.newInstance(sequence.type().componentType(), 0);
                case LIST -> Collections.emptyList();
                case SET -> Collections.emptySet();
              });
      default -> throw new IllegalArgumentException("no text stands for a value of this type");
    };
  }

  private static Object number(Primitive primitive, String text) {
    return switch (primitive) {
      case BOOLEAN -> {
        if (!text.equals("true") && !text.equals("false")) {
          throw new IllegalArgumentException("neither true nor false");
        }
        yield Boolean.valueOf(text);
      }
      case BYTE -> Byte.valueOf(text);
      case SHORT -> Short.valueOf(text);
      case CHAR -> {
        if (text.length() != 1) {
          throw new IllegalArgumentException("not one character");
        }
        yield text.charAt(0);
      }
      case INT -> Integer.valueOf(text);
      case LONG -> Long.valueOf(text);
      case FLOAT -> Float.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
    };
  }

  private static Object constant(Class<?> type, String name) {
    for (Object constant : type.getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    throw new IllegalArgumentException("no such constant");
  }

  private static Object empty(String text, Object value) {
    if (!text.isEmpty()) {
      throw new IllegalArgumentException("only \"\" is possible, for the empty one");
    }
    return value;
  }
}
