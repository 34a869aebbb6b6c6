package org.ringwire.heap.image.value;

import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.shape.Refusal;

/**
 * Texts for values that have no text of their own from which an equal one could be made. What has
 * one is written as that; what has not as parts of it, behind or between characters that are in no
 * other text.
 */
final class ValueText {
  private static final char MARK = '\0';
  private static final int PARTS = 3;
  private static final URI ROOT = URI.create("x:/");

  private ValueText() {}

  /** A tag, or, where that leaves something out, language, country and variant. */
  static String of(Locale locale) {
    String tag = locale.toLanguageTag();
    String parts = locale.getLanguage() + MARK + locale.getCountry() + MARK + locale.getVariant();
    for (String text : new String[] {tag, parts}) {
      if (locale(text).equals(locale)) {
        return text;
      }
    }
    throw Refusal.ofClass(Locale.class, "no other like it can be made: " + locale);
  }

  static Locale locale(String text) {
    if (text.indexOf(MARK) < 0) {
      return Locale.forLanguageTag(text);
    }
    String[] parts = text.split(String.valueOf(MARK), -1);
    if (parts.length != PARTS) {
      throw new IllegalArgumentException("not the parts of a locale: parts=" + parts.length);
    }
    return Locale.of(parts[0], parts[1], parts[2]);
  }

  /**
   * What it says of itself, unless that says something else when it is read: a path that is {@link
   * URI#relativize relative} may begin with what looks like a scheme.
   */
  static String of(URI uri) {
    String plain = uri.toString();
    for (String text : new String[] {plain, MARK + plain}) {
      if (uri.equals(resourceOrNull(text))) {
        return text;
      }
    }
    throw Refusal.ofClass(URI.class, "no other like it can be made: " + uri);
  }

  private static @Nullable URI resourceOrNull(String text) {
    try {
      return resource(text);
    } catch (IllegalArgumentException e) {
      return null; // not a text of anything
    }
  }

  /** No marked text goes back: what is relative has nothing left of that, however it was made. */
  static URI resource(String text) {
    if (text.isEmpty() || text.charAt(0) != MARK) {
      return URI.create(text);
    }
    URI resource = URI.create(ROOT + text.substring(1));
    String path = resource.getRawPath();
    if (path.contains("/../") || path.endsWith("/..")) { // takes the square of its steps to read
      throw new IllegalArgumentException("a relative path that goes back");
    }
    return ROOT.relativize(resource);
  }
}
