package org.ringwire.tools.console;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats numbers alike whatever the locale: {@code 1,234.5}; and values for messages. */
public final class Text {

  private Text() {}

  /** As {@link String#format(Locale, String, Object...)}. */
  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency of its own
  public static String format(String format, @Nullable Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  /** A value as it is shown in a message: with quotes if there would be nothing to see. */
  public static String shown(String value) {
    return value.isBlank() ? "'" + value + "'" : value;
  }
}
