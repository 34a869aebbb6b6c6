package org.ringwire.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.ringwire.wire.ProtocolException.Reason;

class ControlFramesTest {

  private static final int OFFSET = 3;

  private final byte[] bytes = new byte[8192];
  private final MemorySegment memory = MemorySegment.ofArray(bytes);

  @Test
  void shouldCarryCredit() {
    Arrays.fill(bytes, (byte) 0xDD);
    long header = publish(ControlFrames.writeCredit(memory, OFFSET, 1L << 40, 7, Long.MAX_VALUE));

    assertThat(FrameLayout.kind(header)).isEqualTo(FrameLayout.CREDIT);
    assertThat(FrameLayout.length(header)).isEqualTo(ControlFrames.CREDIT_LENGTH);
    assertThat(ControlFrames.processedBytes(memory, OFFSET)).isEqualTo(1L << 40);
    assertThat(ControlFrames.processedMessages(memory, OFFSET)).isEqualTo(7);
    assertThat(ControlFrames.granted(memory, OFFSET)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldRefuseNegativeCredit() {
    publish(ControlFrames.writeCredit(memory, OFFSET, -1, -2, -3));

    for (int i = 0; i < 3; i++) {
      int number = i;
      assertThatExceptionOfType(ProtocolException.class)
          .isThrownBy(() -> {
            switch (number) {
              case 0 -> ControlFrames.processedBytes(memory, OFFSET);
              case 1 -> ControlFrames.processedMessages(memory, OFFSET);
              default -> ControlFrames.granted(memory, OFFSET);
            }
          })
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.CREDIT))
          .withMessageContaining("=" + (-1 - number));
    }
  }

  @Test
  void shouldCarryTokens() {
    assertThat(FrameLayout.kind(publish(ControlFrames.writePing(memory, OFFSET, -5))))
        .isEqualTo(FrameLayout.PING);
    assertThat(ControlFrames.token(memory, OFFSET)).isEqualTo(-5);
    assertThat(FrameLayout.kind(publish(ControlFrames.writePong(memory, OFFSET, 6))))
        .isEqualTo(FrameLayout.PONG);
    assertThat(ControlFrames.token(memory, OFFSET)).isEqualTo(6);
    assertThat(FrameLayout.kind(publish(ControlFrames.writeGrant(memory, OFFSET, 7))))
        .isEqualTo(FrameLayout.GRANT);
    assertThat(ControlFrames.token(memory, OFFSET)).isEqualTo(7);
  }

  @Test
  void shouldAnnounceLargeFrames() {
    long header = publish(ControlFrames.writeAnnounce(memory, OFFSET, 9, 1L << 30));

    assertThat(FrameLayout.kind(header)).isEqualTo(FrameLayout.ANNOUNCE);
    assertThat(FrameLayout.length(header)).isEqualTo(ControlFrames.ANNOUNCE_LENGTH);
    assertThat(ControlFrames.token(memory, OFFSET)).isEqualTo(9);
    assertThat(ControlFrames.announcedBytes(memory, OFFSET)).isEqualTo(1L << 30);
    ControlFrames.writeAnnounce(memory, OFFSET, 9, 0);
    assertThat(ControlFrames.announcedBytes(memory, OFFSET)).isZero();
    for (long impossible : new long[] {7, 1L << 30 | 1, -8, 1L << 31}) {
      ControlFrames.writeAnnounce(memory, OFFSET, 9, impossible);
      assertThatExceptionOfType(ProtocolException.class)
          .isThrownBy(() -> ControlFrames.announcedBytes(memory, OFFSET))
          .withMessageContaining("occupied=" + impossible);
    }
  }

  @Test
  void shouldCarryTextsOfAnyLengthWithCleanPadding() {
    for (int length = 0; length < 40; length++) {
      byte[] text = ControlFrames.textBytes("t".repeat(length));
      Arrays.fill(bytes, (byte) 0xDD);
      long close = publish(ControlFrames.writeClose(memory, OFFSET, CloseReason.DISMISSED, text));
      assertThat(ControlFrames.closeText(memory, OFFSET, close)).isEqualTo("t".repeat(length));
      assertThat(CloseReason.of(FrameLayout.type(close))).isEqualTo(CloseReason.DISMISSED);
      assertThat(FrameLayout.length(close)).isEqualTo(ControlFrames.closeLength(text));
      assertCleanPadding(close);

      Arrays.fill(bytes, (byte) 0xDD);
      long failure =
          publish(
              ControlFrames.writeFailure(
                  memory, OFFSET, Long.MIN_VALUE, FailureReason.NO_HANDLER, text));
      assertThat(ControlFrames.failureText(memory, OFFSET, failure)).isEqualTo("t".repeat(length));
      assertThat(ControlFrames.correlation(memory, OFFSET)).isEqualTo(Long.MIN_VALUE);
      assertThat(FailureReason.of(FrameLayout.type(failure))).isEqualTo(FailureReason.NO_HANDLER);
      assertThat(FrameLayout.length(failure)).isEqualTo(ControlFrames.failureLength(text));
      assertCleanPadding(failure);
    }
  }

  @Test
  void shouldRefuseTextsThatAreTooLong() {
    long header = FrameLayout.header(FrameLayout.CLOSE, 1, 8 + ControlFrames.MAX_TEXT_LENGTH + 1);

    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> ControlFrames.closeText(memory, OFFSET, header))
        .withMessageContaining("textLength=4097");
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

  private long publish(long header) {
    FrameLayout.writeWord(memory, OFFSET, header);
    return header;
  }

  private void assertCleanPadding(long header) {
    int length = FrameLayout.length(header);
    long occupied = FrameLayout.occupied(length);
    for (int i = OFFSET + length; i < OFFSET + occupied; i++) {
      assertThat(bytes[i]).isZero();
    }
    assertThat(bytes[OFFSET + (int) occupied]).isEqualTo((byte) 0xDD);
  }
}
