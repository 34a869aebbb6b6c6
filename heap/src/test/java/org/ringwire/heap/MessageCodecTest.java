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
import org.ringwire.heap.image.Encoder;
import org.ringwire.testing.NodeWatcher;

/** What a handler does on the thread of a send, between the length of a message and its bytes. */
@ExtendWith(NodeWatcher.class)
class MessageCodecTest {
  private static final int MORE_THAN_ARE_KEPT = 5;
  private static final int LARGE = 20 << 20;

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

  /** Of large images few wait, whichever thread has measured them. */
  @Test
  void shouldEncodeALargeMessageAfterOthersThatWereNotSent() throws Exception {
    List<byte[]> message = List.of(new byte[LARGE], new byte[] {1});
    int length = codec.length(message);
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; i < MORE_THAN_ARE_KEPT; i++) {
                assertThat(codec.length(List.of(new byte[LARGE]))).isGreaterThan(LARGE);
              }
            });
    other.join();

    List<?> copy = (List<?>) decode(encode(message, length));
    assertThat((byte[]) copy.getFirst()).hasSize(LARGE);
    assertThat((byte[]) copy.getLast()).containsExactly(1);
  }

  /** What waits is that of the thread that has measured it. */
  @Test
  void shouldSendALargeMessageAsItWasMeasuredByThisThread() throws Exception {
    List<Object> message = new ArrayList<>(List.of(new byte[LARGE / 8], "a"));
    int length = codec.length(message);
    message.set(1, "ab");
    Thread other =
        Thread.ofPlatform().start(() -> assertThat(codec.length(message)).isEqualTo(length + 1));
    other.join();

    assertThat(((List<?>) decode(encode(message, length))).getLast()).isEqualTo("a");
  }

  /** An image of before the change, which nobody has sent, is none of the message any more. */
  @Test
  void shouldEncodeAMessageThatWasLargeAndNotSentInTheMiddleOfItsSend() {
    List<Object> message = new ArrayList<>(List.of(new byte[LARGE / 8]));
    assertThat(codec.length(message)).isGreaterThan(LARGE / 8);
    message.set(0, "small");
    int outer = codec.length(message);
    int inner = codec.length(message);

    assertThat(decode(encode(message, inner))).isEqualTo(message);
    assertThat(decode(encode(message, outer))).isEqualTo(message);
  }

  @Test
  void shouldGiveBackWhatAMessageWasEncodedByThatCannotBeSent() {
    HeapCodec heap = HeapCodec.builder().build();
    Codec<Object[]> messages = heap.messageCodec(Object[].class);
    Encoder encoder = heap.takeEncoder();
    heap.giveBack(encoder);

    assertThatThrownBy(() -> messages.length(new Object[] {Thread.currentThread()}))
        .isInstanceOf(EncodingException.class);

    assertThat(heap.takeEncoder()).isSameAs(encoder);
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
