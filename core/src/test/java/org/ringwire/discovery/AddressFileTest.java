package org.ringwire.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class AddressFileTest {
  private static final int INPUTS = Boolean.getBoolean("ringwire.nightly") ? 2_000_000 : 50_000;
  private static final long SEED = Long.getLong("ringwire.seed", new Random().nextLong());

  private final Random random = new Random(SEED);

  @Test
  void shouldReadObjectsOfText() {
    assertThat(AddressFile.parse("{}")).isEmpty();
    assertThat(AddressFile.parse(" \t\r\n{ \n } ")).isEmpty();
    assertThat(AddressFile.parse("{\"0\":\"a:1\" , \"65535\" : \"[::1]:2\"}"))
        .isEqualTo(Map.of(0, "a:1", Node.MAX_ID, "[::1]:2"));
    assertThat(AddressFile.parse("{\"\\u0037\": \"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4ö\"}"))
        .isEqualTo(Map.of(7, "\"\\/\b\f\n\r\täö"));
  }

  @Test
  void shouldSayWhereTextIsMalformed() {
    Map<String, String> expected = new HashMap<>();
    expected.put("", "line 1, column 1: an object");
    expected.put("[]", "line 1, column 1: an object");
    expected.put("{\n  \"1\" \"a:1\"}", "line 2, column 7: a colon");
    expected.put("{\"1\": 5}", "column 7: an address in quotes");
    expected.put("{\"1\": null}", "column 7: an address in quotes");
    expected.put("{\"1\": \" \"}", "column 7: the address of node 1 is empty");
    expected.put("{1: \"a\"}", "column 2: a node id in quotes");
    expected.put("{\"1\": \"a\",}", "column 11: a node id in quotes");
    expected.put("{\"1\": \"a\" \"2\": \"b\"}", "column 11: a comma");
    expected.put("{\"1\": \"a\"} x", "column 12: nothing may follow");
    expected.put("{\"1\": \"a\"", "column 10: a comma");
    expected.put("{\"1\": \"a", "column 9: the text has no end");
    expected.put("{\"1\": \"\\", "the text has no end");
    expected.put("{\"1\": \"\\u00", "the text has no end");
    expected.put("{\"1\": \"a\nb\"}", "line 1, column 9: control characters");
    expected.put("{\"1\": \"\\x\"}", "column 9: no such escape");
    expected.put("{\"1\": \"\\u00g0\"}", "four hexadecimal digits");
    expected.put("{\"1\": \"a\", \"1\": \"b\"}", "column 12: node 1 stands twice");
    expected.put("\uFEFF{}", "column 1: an object");
    expected.put("\uFEFF{\"1\": \"a:1\"}", "and no byte order mark before it");
    for (String id : List.of("", "-1", "01", "+1", "1.0", "65536", "99999999999", " 1", "x", "١")) {
      expected.put("{\"" + id + "\": \"a\"}", "a node id is 0 to 65535");
    }
    expected.forEach((text, message) ->
        assertThatIllegalArgumentException()
            .as(text)
            .isThrownBy(() -> AddressFile.parse(text))
            .withMessageContaining(message));
  }

  @Test
  void shouldReadWhateverIsWrittenInAnyForm() {
    for (int i = 0; i < 2_000; i++) {
      Map<Integer, String> addresses = addresses();
      assertThat(AddressFile.parse(write(addresses))).as("seed=%d", SEED).isEqualTo(addresses);
    }
  }

  @Test
  void shouldReadOrRefuseWhateverIsDamaged() {
    String pieces = "{}\"\"\\,:u0019 \n5x";
    int read = 0;
    for (int i = 0; i < INPUTS; i++) {
      StringBuilder text = new StringBuilder(write(addresses()));
      for (int edits = 1 + random.nextInt(3); edits > 0 && !text.isEmpty(); edits--) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.deleteCharAt(at);
          case 1 -> text.insert(at, pieces.charAt(random.nextInt(pieces.length())));
          default -> text.setLength(at + 1);
        }
      }
      try {
        AddressFile.parse(text.toString())
            .keySet()
            .forEach(id -> assertThat(id).isBetween(0, 65535));
        read++;
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).as("seed=%d %s", SEED, text).startsWith("line ");
      }
    }
    assertThat(read).as("seed=%d", SEED).isBetween(1, INPUTS - 1);
  }

  private Map<Integer, String> addresses() {
    Map<Integer, String> addresses = new HashMap<>();
    for (int count = random.nextInt(4); count > 0; count--) {
      StringBuilder address = new StringBuilder("h");
      for (int length = random.nextInt(5); length > 0; length--) {
        address.append((char) random.nextInt(random.nextBoolean() ? 128 : 0xd800));
      }
      addresses.put(random.nextInt(Node.MAX_ID + 1), address.toString());
    }
    return addresses;
  }

  private String space() {
    return " \t\r\n".repeat(2).substring(random.nextInt(8));
  }

  private String write(Map<Integer, String> addresses) {
    StringBuilder text = new StringBuilder(space()).append('{').append(space());
    addresses.forEach((id, address) -> {
      boolean first = text.toString().endsWith("{") || text.toString().isBlank();
      text.append(first || text.indexOf(":") < 0 ? "" : ",").append(space());
      text.append(quote(String.valueOf(id))).append(space()).append(':').append(space());
      text.append(quote(address)).append(space());
    });
    return text.append('}').append(space()).toString();
  }

  private String quote(String value) {
    StringBuilder text = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' || c == '"' || c == '\\' || random.nextInt(10) == 0) {
        text.append("\\u%04x".formatted((int) c));
      } else {
        text.append(c);
      }
    }
    return text.append('"').toString();
  }
}
