package org.ringwire.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class Utf8Test {

  @Test
  void shouldReadWhatItWrote() {
    for (String text : new String[] {"", "plain", "Plätze", "\uD83D\uDE80", "\0"}) {
      byte[] bytes = Utf8.encode(text, 100);

      assertThat(Utf8.decode(ByteBuffer.wrap(bytes), "text", 100)).isEqualTo(text);
    }
  }

  @Test
  void shouldCutBetweenCharactersAtEveryLimit() {
    String text = "aä\u20AC\uD83D\uDE80";
    byte[] whole = text.getBytes(StandardCharsets.UTF_8);
    int[] ends = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
    for (int limit = 0; limit <= whole.length; limit++) {
      assertThat(Utf8.encode(text, limit)).hasSize(ends[limit]);
    }
  }

  @Test
  void shouldShowSentencesOfAPeerOnOneLine() {
    String text = "no\r\nWARNING forged\u001B[31m \uD83D\uDE80";
    assertThat(HandshakeSamples.refusal(new Refusal(1, text).encode()).text())
        .isEqualTo("no..WARNING forged.[31m \uD83D\uDE80");
  }

  @Test
  void shouldShowWhyAPeerClosesDelaysAndFailsOnOneLine() {
    String text = "no\r\nWARNING forged\u001B[31m";
    String shown = "no..WARNING forged.[31m";
    MemorySegment close = MemorySegment.ofArray(ControlFrames.close(CloseReason.LIMIT, text));
    assertThat(ControlFrames.closeText(close, 0, FrameLayout.readHeader(close, 0)))
        .isEqualTo(shown);
    MemorySegment delay = MemorySegment.ofArray(ControlFrames.delay(1, text));
    assertThat(ControlFrames.delayText(delay, 0, FrameLayout.readHeader(delay, 0)))
        .isEqualTo(shown);
    MemorySegment failure =
        MemorySegment.ofArray(ControlFrames.failure(1, FailureReason.HANDLER_FAILED, text));
    assertThat(ControlFrames.failureText(failure, 0, FrameLayout.readHeader(failure, 0)))
        .isEqualTo(shown);
  }

  @Test
  void shouldQuoteTextOfAPeerOnOneShortLine() {
    assertThat(Utf8.quote("plain")).isEqualTo("\"plain\"");
    assertThat(Utf8.quote("a\r\nb\u001B[31m\"c")).isEqualTo("\"a..b.[31m.c\"");
    assertThat(Utf8.quote("x".repeat(1000))).isEqualTo("\"" + "x".repeat(64) + "...\"");
  }
}
