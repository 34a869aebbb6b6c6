package org.ringwire.discovery;

import java.util.HashMap;
import java.util.Map;
import org.ringwire.Node;

/**
 * Reads the text of a file of addresses, {@code {"1": "host:port", "2": "host:port"}}: a JSON
 * object (RFC 8259) whose names are node ids and whose values are text, and nothing else. What is
 * wrong is named with its line and column.
 */
final class AddressFile {
  private static final int MAX_ID_DIGITS = 5;
  private static final String BYTE_ORDER_MARK = "\uFEFF";
  private static final String OBJECT = "an object is expected, as in {\"1\": \"host:port\"}";

  private final String text;
  private int position;

  private AddressFile(String text) {
    this.text = text;
  }

  /**
   * The addresses by node id.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  static Map<Integer, String> parse(String text) {
    AddressFile file = new AddressFile(text);
    Map<Integer, String> addresses = file.object();
    file.skipSpace();
    if (file.position < text.length()) {
      throw file.wrong("nothing may follow the object");
    }
    return Map.copyOf(addresses);
  }

  private Map<Integer, String> object() {
    Map<Integer, String> addresses = new HashMap<>();
    if (text.startsWith(BYTE_ORDER_MARK)) { // which nobody sees
      throw wrong(OBJECT + ", and no byte order mark before it");
    }
    expect('{', OBJECT);
    skipSpace();
    if (peek() == '}') {
      position++;
      return addresses;
    }
    while (true) {
      skipSpace();
      int start = position;
      int id = nodeId(string("a node id in quotes is expected"), start);
      expect(':', "a colon is expected");
      skipSpace();
      int valueStart = position;
      String address = string("an address in quotes is expected");
      if (address.isBlank()) {
        throw wrongAt(valueStart, "the address of node " + id + " is empty");
      }
      if (addresses.put(id, address) != null) {
        throw wrongAt(start, "node " + id + " stands twice");
      }
      skipSpace();
      if (peek() == '}') {
        position++;
        return addresses;
      }
      expect(',', "a comma or the end of the object is expected");
    }
  }

  private int nodeId(String name, int start) {
    boolean digits =
        !name.isEmpty()
            && name.length() <= MAX_ID_DIGITS
            && name.chars().allMatch(c -> c >= '0' && c <= '9')
            && (name.length() == 1 || name.charAt(0) != '0');
    int id = digits ? Integer.parseInt(name) : -1;
    if (id < 0 || id > Node.MAX_ID) {
      throw wrongAt(start, "a node id is 0 to " + Node.MAX_ID);
    }
    return id;
  }

  private String string(String expectation) {
    expect('"', expectation);
    StringBuilder value = new StringBuilder();
    while (true) {
      char c = next("the text has no end");
      if (c == '"') {
        return value.toString();
      } else if (c == '\\') {
        value.append(escaped());
      } else if (c < ' ') {
        throw wrongAt(position - 1, "control characters must be escaped");
      } else {
        value.append(c);
      }
    }
  }

  private char escaped() {
    char c = next("the text has no end");
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        int code = 0;
        for (int i = 0; i < 4; i++) {
          int digit = hexDigit(next("the text has no end"));
          code = code << 4 | digit;
        }
        yield (char) code;
      }
      default -> throw wrongAt(position - 1, "no such escape");
    };
  }

  private int hexDigit(char c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    } else if (c >= 'a' && c <= 'f') {
      return c - 'a' + 10;
    } else if (c >= 'A' && c <= 'F') {
      return c - 'A' + 10;
    }
    throw wrongAt(position - 1, "four hexadecimal digits are expected");
  }

  private void expect(char expected, String expectation) {
    skipSpace();
    if (peek() != expected) {
      throw wrong(expectation);
    }
    position++;
  }

  private void skipSpace() {
    while (position < text.length() && " \t\r\n".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
  }

  /** The character here; one that is never expected at the end. */
  private char peek() {
    return position < text.length() ? text.charAt(position) : '\0';
  }

  private char next(String expectation) {
    if (position == text.length()) {
      throw wrong(expectation);
    }
    return text.charAt(position++);
  }

  private IllegalArgumentException wrong(String what) {
    return wrongAt(position, what);
  }

  private IllegalArgumentException wrongAt(int at, String what) {
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < at; i++) {
      if (text.charAt(i) == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    return new IllegalArgumentException(
        "line " + line + ", column " + (at - lineStart + 1) + ": " + what);
  }
}
