package org.ringwire.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.ProtocolException.Reason;

@ExtendWith(NodeWatcher.class)
class ControlFramesTest {

  private static final int OFFSET = 3;

  @Test
  void shouldCarryCredit() {
    MemorySegment memory = shifted(ControlFrames.credit(1L << 40, 7, Long.MAX_VALUE));

    assertFrame(memory, FrameLayout.CREDIT, ControlFrames.CREDIT_LENGTH);
    assertThat(ControlFrames.processedBytes(memory, OFFSET)).isEqualTo(1L << 40);
    assertThat(ControlFrames.processedMessages(memory, OFFSET)).isEqualTo(7);
    assertThat(ControlFrames.granted(memory, OFFSET)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldRefuseNegativeCredit() {
    MemorySegment memory = shifted(ControlFrames.credit(-1, -2, -3));

    assertViolation(
        Reason.CREDIT, "processedBytes=-1", () -> ControlFrames.processedBytes(memory, OFFSET));
    assertViolation(
        Reason.CREDIT,
        "processedMessages=-2",
        () -> ControlFrames.processedMessages(memory, OFFSET));
    assertViolation(Reason.CREDIT, "granted=-3", () -> ControlFrames.granted(memory, OFFSET));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE})
  void shouldCarryTokens(long token) {
    MemorySegment ping = shifted(ControlFrames.ping(token));
    assertFrame(ping, FrameLayout.PING, ControlFrames.TOKEN_LENGTH);
    assertThat(ControlFrames.token(ping, OFFSET)).isEqualTo(token);
    MemorySegment pong = shifted(ControlFrames.pong(token));
    assertFrame(pong, FrameLayout.PONG, ControlFrames.TOKEN_LENGTH);
    assertThat(ControlFrames.token(pong, OFFSET)).isEqualTo(token);
    MemorySegment grant = shifted(ControlFrames.grant(token));
    assertFrame(grant, FrameLayout.GRANT, ControlFrames.TOKEN_LENGTH);
    assertThat(ControlFrames.token(grant, OFFSET)).isEqualTo(token);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 8, 1 << 30, FrameLayout.MAX_LENGTH})
  void shouldAnnounceLargeFrames(long length) {
    MemorySegment memory = shifted(ControlFrames.announce(9, length));

    assertFrame(memory, FrameLayout.ANNOUNCE, ControlFrames.ANNOUNCE_LENGTH);
    assertThat(ControlFrames.token(memory, OFFSET)).isEqualTo(9);
    assertThat(ControlFrames.announcedLength(memory, OFFSET)).isEqualTo(length);
  }

  @ParameterizedTest
  @ValueSource(longs = {7, (1 << 30) + 1, -8, 1L << 31, Long.MIN_VALUE})
  void shouldRefuseToAnnounceWhatNoFrameCanBe(long length) {
    MemorySegment memory = shifted(ControlFrames.announce(9, length));

    assertViolation(
        Reason.VALUE, "length=" + length, () -> ControlFrames.announcedLength(memory, OFFSET));
  }

  @Test
  void shouldCarryTextsOfAnyLength() {
    for (int length = 0; length < 40; length++) {
      String text = "t".repeat(length);
      MemorySegment close = shifted(ControlFrames.close(CloseReason.DISMISSED, text));
      long closeHeader = assertFrame(close, FrameLayout.CLOSE, 8 + length);
      assertThat(ControlFrames.closeText(close, OFFSET, closeHeader)).isEqualTo(text);
      assertThat(CloseReason.of(FrameLayout.type(closeHeader))).isEqualTo(CloseReason.DISMISSED);

      MemorySegment failure =
          shifted(ControlFrames.failure(Long.MIN_VALUE, FailureReason.NO_HANDLER, text));
      long failureHeader = assertFrame(failure, FrameLayout.FAILURE, 16 + length);
      assertThat(ControlFrames.failureText(failure, OFFSET, failureHeader)).isEqualTo(text);
      assertThat(ControlFrames.correlation(failure, OFFSET)).isEqualTo(Long.MIN_VALUE);
      assertThat(FailureReason.of(FrameLayout.type(failureHeader)))
          .isEqualTo(FailureReason.NO_HANDLER);
    }
  }

  @Test
  void shouldCutLongTextsBetweenCharacters() {
    String long4 = "x" + "\uD83D\uDE80".repeat(3000);
    MemorySegment close = shifted(ControlFrames.close(CloseReason.DISMISSED, long4));
    MemorySegment failure = shifted(ControlFrames.failure(1, FailureReason.NO_REPLY, long4));

    String text = ControlFrames.closeText(close, OFFSET, FrameLayout.readHeader(close, OFFSET));
    assertThat(text).isEqualTo("x" + "\uD83D\uDE80".repeat(1023));
    assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSize(4093);
    assertThat(ControlFrames.failureText(failure, OFFSET, FrameLayout.readHeader(failure, OFFSET)))
        .isEqualTo(text);
  }

  @Test
  void shouldRefuseTextsThatAreTooLong() {
    MemorySegment memory = shifted(ControlFrames.close(CloseReason.DISMISSED, ""));
    long header = FrameLayout.header(FrameLayout.CLOSE, 1, 8 + ControlFrames.MAX_TEXT_LENGTH + 1);

    assertViolation(
        Reason.FRAME_LENGTH,
        "textLength=4097",
        () -> ControlFrames.closeText(memory, OFFSET, header));
  }

  @Test
  void shouldKnowReasonsByTheirCodes() {
    for (CloseReason reason : CloseReason.values()) {
      assertThat(CloseReason.of(reason.code())).isEqualTo(reason);
    }
    for (FailureReason reason : FailureReason.values()) {
      assertThat(FailureReason.of(reason.code())).isEqualTo(reason);
    }
    for (RefusalReason reason : RefusalReason.values()) {
      assertThat(RefusalReason.of(reason.code())).isEqualTo(reason);
    }
    assertThat(CloseReason.of(60_000)).isEqualTo(CloseReason.UNKNOWN);
    assertThat(FailureReason.of(60_000)).isEqualTo(FailureReason.UNKNOWN);
    assertThat(RefusalReason.of(60_000)).isEqualTo(RefusalReason.UNKNOWN);
  }

  private static MemorySegment shifted(byte[] frame) {
    byte[] bytes = new byte[frame.length + OFFSET];
    System.arraycopy(frame, 0, bytes, OFFSET, frame.length);
    return MemorySegment.ofArray(bytes);
  }

  private static long assertFrame(MemorySegment memory, int kind, int length) {
    long header = FrameLayout.readHeader(memory, OFFSET);
    assertThat(FrameLayout.kind(header)).isEqualTo(kind);
    assertThat(FrameLayout.length(header)).isEqualTo(length);
    assertThat(FrameLayout.occupied(length)).isEqualTo(memory.byteSize() - OFFSET);
    assertThat(FrameRules.allow(header, length)).isTrue();
    return header;
  }

  private static void assertViolation(Reason reason, String fact, ThrowingCallable action) {
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(action)
        .withMessageContaining(fact)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
  }
}
