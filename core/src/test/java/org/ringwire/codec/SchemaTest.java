package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class SchemaTest {
  @Message(name = "Order")
  record Order(int id, String text, List<Item> items, Colour colour, Shape shape) {}

  @Message(name = "Item")
  record Item(long price) {}

  @Message(name = "Colour")
  enum Colour {
    RED,
    BLUE
  }

  @Message(name = "Shape")
  sealed interface Shape permits Square, Circle {}

  @Message(name = "Square")
  record Square(int side) implements Shape {}

  @Message(name = "Circle")
  record Circle(@Compact int radius) implements Shape {}

  private static final String TEXT =
      """
      encoding 1
      record Order
       id int
       text String
       items List<Item>
       colour Colour
       shape Shape
      record Item
       price long
      enum Colour
       BLUE
       RED
      sealed Shape
       Circle
       Square
      record Circle
       radius compact-int
      record Square
       side int
      """;

  private final Schema schema = new MessageCatalog().typeOf(Order.class).schema();

  @Test
  void shouldDescribeARecordAndAllThatItUses() {
    assertThat(schema).hasToString(TEXT);
    assertThat(schema.fingerprint())
        .isEqualTo(new MessageCatalog().typeOf(Order.class).fingerprint());
    assertThat(Schema.parse(schema.toBytes())).isEqualTo(schema).hasSameHashCodeAs(schema);
    assertThat(schema.difference(Schema.of(TEXT))).isEmpty();
  }

  @Test
  void shouldHashTheText() {
    // FNV-1a, computed by another program.
    assertThat(Schema.of("encoding 1\nrecord A\n a int\n").fingerprint())
        .isEqualTo(0xda82ab68ba282c9fL);
  }

  @Test
  void shouldNameTypeAndComponentOfADifference() {
    assertDifference(
        " text String",
        " text int",
        "Order: component text: String at the reader, int at the writer");
    assertDifference(
        " text String\n", "", "Order: component text: String at the reader, missing at the writer");
    assertDifference(
        " id int\n",
        " id int\n note String\n",
        "Order: component note: missing at the reader, String at the writer");
    assertDifference(
        " id int\n text String\n",
        " text String\n id int\n",
        "Order: order of components: [id, text, items, colour, shape] at the reader, "
            + "[text, id, items, colour, shape] at the writer");
    assertDifference(
        " price long",
        " price int",
        "Item: component price: long at the reader, int at the writer");
    assertDifference(
        " RED\n", "", "Colour: constant RED: present at the reader, missing at the writer");
    assertDifference(
        " RED\n",
        " RED\n TEAL\n",
        "Colour: constant TEAL: missing at the reader, present at the writer");
    assertDifference(
        " Circle\n Square\n",
        " Square\n",
        "Shape: subtype Circle: present at the reader, missing at the writer");
    assertDifference(
        "sealed Shape\n Circle\n Square\n",
        "record Shape\n",
        "Shape: sealed at the reader, record at the writer");
  }

  @Test
  void shouldNameVersionsOfHandWrittenCodecs() {
    assertThat(Schema.opaque("A", 1).difference(Schema.opaque("A", 2)))
        .contains("A: codec version: 1 at the reader, 2 at the writer");
    assertThat(Schema.opaque("A", 1).difference(Schema.of("encoding 1\nrecord A\n")))
        .contains("A: opaque at the reader, record at the writer");
  }

  private void assertDifference(String part, String replacement, String expected) {
    assertThat(TEXT).contains(part);
    Schema other = Schema.of(TEXT.replace(part, replacement));
    assertThat(schema.difference(other)).contains(expected);
    assertThat(other.difference(schema)).isPresent();
    assertThat(other.fingerprint()).isNotEqualTo(schema.fingerprint());
  }

  @Test
  void shouldRefuseWhatIsNoSchema() {
    for (String text :
        List.of(
            "",
            "encoding 1",
            "encoding 1\n",
            "encoding 2\nrecord A\n",
            "encoding 1\nrecord A",
            "encoding 1\nclass A\n",
            "encoding 1\nrecord\n",
            "encoding 1\nrecord A B\n",
            "encoding 1\n a int\n",
            "encoding 1\nrecord A\nrecord A\n",
            "encoding 1\nrecord A\n a int\n a int\n",
            "encoding 1\nrecord A\n\n",
            "encoding 1\nrecord A\r\n",
            "encoding 1\nrecord A\n a\u001b[2K int\n",
            "encoding 1\nrecord A\u2028B\n",
            "encoding 1\nenum A\n B\u0085C\n")) {
      assertThatThrownBy(() -> Schema.of(text)).as(text).isInstanceOf(DecodingException.class);
    }
    assertThatThrownBy(() -> Schema.of("encoding 1\nclass A\r\n"))
        .hasMessage("schema has a character that no name has: code=13");
    assertThatThrownBy(() -> Schema.parse(new byte[Schema.MAX_LENGTH + 1]))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("too long");
    assertThatThrownBy(() -> Schema.parse(new byte[] {(byte) 0xc0, 0}))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("not UTF-8");
  }

  @Test
  void shouldSurviveDamagedText() {
    long seed = Long.getLong("ringwire.seed", new Random().nextLong());
    Random random = new Random(seed);
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      byte[] bytes = TEXT.getBytes(StandardCharsets.UTF_8);
      for (int n = random.nextInt(4); n >= 0; n--) {
        bytes[random.nextInt(bytes.length)] = (byte) " \nabz1\u00ff".charAt(random.nextInt(7));
      }
      try {
        Schema damaged = Schema.parse(bytes);
        assertThat(schema.difference(damaged).isPresent())
            .as("seed=%d", seed)
            .isEqualTo(!damaged.equals(schema));
      } catch (DecodingException e) {
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }
}
