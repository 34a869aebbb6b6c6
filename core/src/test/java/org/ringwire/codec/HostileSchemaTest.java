package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.ringwire.testing.Awaiting.await;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.testing.NodeWatcher;

/** What schemas of peers that mean no good may cost. */
@ExtendWith(NodeWatcher.class)
class HostileSchemaTest {

  private static final int KEPT = 200;
  private static final String HEAD = "encoding 1\nrecord v.Types$A\n";

  @Test
  @Timeout(60)
  void shouldBoundWhatSchemasOfPeersCost() {
    Version version =
        new Version(
            """
            record Box<X>(X x, Box<X> next) {}
            record A(int a, Box<Integer> box) {}
            """);
    MessageType<?> type = version.catalog.typeOf(version.type("A"));
    List<String> schemas = new ArrayList<>();
    schemas.add(HEAD + " a " + "Optional<".repeat(2000) + "int" + ">".repeat(2000) + "\n");
    schemas.add(HEAD + " b " + "Optional<".repeat(200) + "Byte" + ">".repeat(200) + "\n");
    schemas.add(HEAD + " b int" + "[]".repeat(3000) + "\n");
    schemas.add(HEAD + " a Missing\n");
    schemas.add(HEAD + " a\n");
    schemas.add(HEAD + " a int int\n");
    schemas.add(HEAD + " b Map<int>\n");
    schemas.add(HEAD + " b List<>\n");
    schemas.add(HEAD + " b Map<,>\n");
    schemas.add(HEAD + " b S\nsealed S\n int\n");
    schemas.add(HEAD + " b S\nsealed S\n S\n");
    schemas.add(HEAD + " b v.Types$A\n");
    schemas.add("encoding 1\nenum v.Types$A\n X\n");
    schemas.add("encoding 1\nrecord java.lang.Runtime\n a int\n");
    schemas.add(chain("R", 2000));
    StringBuilder wide = new StringBuilder(HEAD);
    for (int i = 0; i < 12_000; i++) {
      wide.append(" c").append(i).append(" String\n");
    }
    schemas.add(wide.toString());
    StringBuilder boxes = new StringBuilder(HEAD + " box v.Types$Box<0>\n");
    for (int i = 0; i < 1000; i++) {
      boxes.append("record v.Types$Box<").append(i).append(">\n x int\n next v.Types$Box<");
      boxes.append(i + 1).append(">\n");
    }
    schemas.add(boxes + "record v.Types$Box<1000>\n");
    for (String text : schemas) {
      try {
        Codec<?> codec = type.codecFor(Schema.of(text));
        Reader reader = Codecs.reader(new byte[64]);
        codec.decode(reader);
      } catch (IllegalArgumentException | MessagingException e) {
        assertThat(e.getMessage()).isNotBlank();
      }
    }
  }

  /** Records inside of records. */
  private static String chain(String name, int length) {
    StringBuilder chain = new StringBuilder(HEAD + " b " + name + "0\n");
    for (int i = 0; i < length; i++) {
      chain.append("record ").append(name).append(i).append("\n n ").append(name).append(i + 1);
      chain.append("\n");
    }
    return chain + "record " + name + length + "\n";
  }

  @Test
  void shouldRefuseSchemasThatAreTooDeepOrHaveTooManyTypes() {
    Version version =
        new Version("record Box<X>(X x, Box<X> next) {} record A(Box<Integer> box) {}");
    MessageType<?> type = version.catalog.typeOf(version.type("A"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> type.codecFor(Schema.of(chain("R", 300))))
        .withMessageContaining("nested too deeply");
    StringBuilder boxes = new StringBuilder(HEAD + " box v.Types$Box<0>\n");
    for (int i = 0; i < 100; i++) {
      boxes.append("record v.Types$Box<").append(i).append(">\n next v.Types$Box<");
      boxes.append(i + 1).append(">\n");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> type.codecFor(Schema.of(boxes + "record v.Types$Box<100>\n")))
        .withMessageContaining("too many types");
  }

  /** Components that are not known here, of a type that takes the most code to pass over. */
  private static Schema wide(int components, String type) {
    StringBuilder wide = new StringBuilder(HEAD + " a int\n");
    for (int i = 1; i < components; i++) {
      wide.append(" c").append(i).append(' ').append(type).append('\n');
    }
    return Schema.of(wide + (type.equals("S") ? "sealed S\n R\nrecord R\n" : ""));
  }

  @Test
  void shouldRefuseRecordsThatNoJavaRecordCanBe() {
    Version version = new Version("record A(int a) {}");
    MessageType<?> type = version.catalog.typeOf(version.type("A"));
    assertThat(type.codecFor(wide(254, "S"))).isNotNull();
    assertThat(type.codecFor(wide(254, "int"))).isNotNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> type.codecFor(wide(255, "S")))
        .withMessageContaining("v.Types$A")
        .withMessageContaining("more components than a record can have: maximum=254 found=255");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> type.codecFor(wide(128, "long")))
        .withMessageContaining("maximum=254 found=255"); // each long counts twice
    assertThat(type.codecFor(wide(127, "long"))).isNotNull();
  }

  /** Each type keeps those of the last versions that its peers have had. */
  @Test
  void shouldKeepOfASchemaLittleMoreThanItsText() {
    List<Schema> kept = new ArrayList<>();
    long before = heapInUse();
    for (int version = 0; version < KEPT; version++) {
      StringBuilder text = new StringBuilder(HEAD);
      for (int i = 0; text.length() < Schema.MAX_LENGTH - 30; i++) {
        text.append(" c").append(version).append('n').append(i).append(" int\n");
      }
      kept.add(Schema.of(text.toString()));
    }
    await("kept", () -> heapInUse() - before < 2L * KEPT * Schema.MAX_LENGTH);
    assertThat(kept).hasSize(KEPT);
  }

  private static long heapInUse() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** One record of the writer for many of the reader, each of which takes a codec of its own. */
  @Test
  void shouldRefuseRecordsThatAreReadAsTooManyOthers() {
    StringBuilder types = new StringBuilder("record Box<X>(int a, X x) {}\nrecord A(int a");
    StringBuilder written = new StringBuilder(HEAD + " a int\n");
    for (int i = 0; i < 20; i++) {
      types.append(", Box<B").append(i).append("> b").append(i);
      written.append(" b").append(i).append(" v.Types$Box<x>\n");
    }
    types.append(") {}\n");
    for (int i = 0; i < 20; i++) {
      types.append("record B").append(i).append("() {}\n");
    }
    written.append("record v.Types$Box<x>\n");
    for (int i = 0; i < 200; i++) {
      written.append(" c").append(i).append(" int\n");
    }
    Version version = new Version(types.toString());
    MessageType<?> type = version.catalog.typeOf(version.type("A"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> type.codecFor(Schema.of(written.toString())))
        .withMessageContaining("too many components");
  }
}
