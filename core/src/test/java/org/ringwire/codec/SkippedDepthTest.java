package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/**
 * What a reader does not know may hold many lists for each record, but not more than fit a stack.
 */
@ExtendWith(NodeWatcher.class)
class SkippedDepthTest {
  private static final int LISTS = 200;

  record Known(int number) {}

  /** Of a schema in which a record holds lists of lists of itself. */
  private static Codec<Known> codec(int lists) {
    String name = Known.class.getName();
    String nested = "List<".repeat(lists) + "Deep" + ">".repeat(lists);
    Schema schema =
        Schema.of(
            "encoding 1\nrecord %s\n number int\n more Deep\nrecord Deep\n deep %s\n"
                .formatted(name, nested));
    return new MessageCatalog().typeOf(Known.class).codecFor(schema);
  }

  /** Each list has one element; the innermost record has null. */
  private static MemorySegment message(int records, int lists) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0); // nothing is null
    out.writeBytes(new byte[] {7, 0, 0, 0});
    for (int record = 0; record < records; record++) {
      for (int list = 0; list < lists; list++) {
        out.write(2); // one element
      }
      out.write(0); // which is not null
    }
    out.write(0);
    return MemorySegment.ofArray(out.toByteArray());
  }

  private static Known decode(Codec<Known> codec, MemorySegment message) {
    Reader reader = new Reader();
    reader.wrap(message, 0, message.byteSize());
    return codec.decode(reader);
  }

  @Test
  void shouldRefuseWhatWouldNotFitTheStack() {
    MemorySegment deep = message(250, LISTS);

    assertThatThrownBy(() -> decode(codec(LISTS), deep))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("nested too deeply: maximum depth=2048");
  }

  @Test
  void shouldSkipAFewListsForEachRecord() {
    assertThat(decode(codec(8), message(250, 8))).isEqualTo(new Known(7));
    assertThat(decode(codec(LISTS), message(10, LISTS))).isEqualTo(new Known(7));
  }
}
