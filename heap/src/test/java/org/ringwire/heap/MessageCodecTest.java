package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.EncodingException;
import org.ringwire.codec.Codec;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.testing.NodeWatcher;

/** What a handler does on the thread of a send, between the length of a message and its bytes. */
@ExtendWith(NodeWatcher.class)
class MessageCodecTest {
  private static final int MORE_THAN_ARE_KEPT = 5;

  @SuppressWarnings("rawtypes")
  private final Codec<List> codec = HeapCodec.builder().build().messageCodec(List.class);

  private byte[] encode(List<?> message, int length) {
    byte[] bytes = new byte[length];
    Writer writer = new Writer();
    writer.wrap(MemorySegment.ofArray(bytes), 0, length);
    codec.encode(message, writer);
    assertThat(writer.position()).isEqualTo(length);
    return bytes;
  }

  private Object decode(byte[] bytes) {
    Reader reader = new Reader();
    reader.wrap(MemorySegment.ofArray(bytes), 0, bytes.length);
    return codec.decode(reader);
  }

  @Test
  void shouldEncodeAMessageThatWasSentInTheMiddleOfItsSend() {
    List<String> message = new ArrayList<>(List.of("a", "b"));
    int outer = codec.length(message);
    int inner = codec.length(message);

    assertThat(decode(encode(message, inner))).isEqualTo(message);
    assertThat(decode(encode(message, outer))).isEqualTo(message);
  }

  @Test
  void shouldEncodeAMessageAfterOthersThatWereNotSent() {
    List<String> message = new ArrayList<>(List.of("a", "b"));
    int length = codec.length(message);
    for (int i = 0; i < MORE_THAN_ARE_KEPT; i++) {
      assertThat(codec.length(new ArrayList<>(List.of(i)))).isPositive();
    }

    assertThat(decode(encode(message, length))).isEqualTo(message);
  }

  @Test
  void shouldRefuseWhatIsNotAsLongAsItWasAnyMore() {
    List<String> message = new ArrayList<>(List.of("a", "b"));
    int outer = codec.length(message);
    int inner = codec.length(message);
    assertThat(encode(message, inner)).hasSize(outer);
    message.add("c");

    assertThatThrownBy(() -> encode(message, outer))
        .isInstanceOf(EncodingException.class)
        .hasMessageContaining("announced=" + outer);
  }
}
