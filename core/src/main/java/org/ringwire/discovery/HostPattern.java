package org.ringwire.discovery;

import java.util.Locale;
import org.ringwire.Node;

/** A name with {@code {id}} where the id of a node stands. Immutable. */
final class HostPattern {
  private static final String PLACE = "{id}";
  private static final int MAX_ID_DIGITS = 5;

  private final String before;
  private final String after;

  /**
   * A pattern.
   *
   * @throws IllegalArgumentException unless it has {@code {id}} once
   */
  HostPattern(String pattern) {
    int place = pattern.indexOf(PLACE);
    if (place < 0 || pattern.indexOf(PLACE, place + 1) >= 0) {
      throw new IllegalArgumentException("pattern must have {id} once: pattern=" + pattern);
    }
    before = pattern.substring(0, place);
    after = pattern.substring(place + PLACE.length());
  }

  /** The name of a node. */
  String of(int nodeId) {
    return before + nodeId + after;
  }

  /**
   * The id in a host name that begins as the pattern says, whole labels only.
   *
   * @return 0 to {@link Node#MAX_ID}, or -1 if it is no such name
   */
  int idIn(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    String prefix = before.toLowerCase(Locale.ROOT);
    String suffix = after.toLowerCase(Locale.ROOT);
    if (!name.startsWith(prefix)) {
      return -1;
    }
    int start = prefix.length();
    int end = start;
    while (end < name.length() && name.charAt(end) >= '0' && name.charAt(end) <= '9') {
      end++;
    }
    int digits = end - start;
    boolean whole = name.startsWith(suffix, end) && endsLabel(name, end + suffix.length());
    if (!whole
        || digits == 0
        || digits > MAX_ID_DIGITS
        || (digits > 1 && name.charAt(start) == '0')) {
      return -1;
    }
    int id = Integer.parseInt(name.substring(start, end));
    return id <= Node.MAX_ID ? id : -1;
  }

  private static boolean endsLabel(String name, int end) {
    return end == name.length() || name.charAt(end) == '.';
  }
}
