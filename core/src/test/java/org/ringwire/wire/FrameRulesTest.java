package org.ringwire.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.assembly.FrameAssembler;

/** What an assembler refuses, however it arrives. */
@ExtendWith(NodeWatcher.class)
class FrameRulesTest {

  private static final int LIMIT = 64 << 20;

  private final ReceiveBufferPool pool = WirePools.open();
  private final FrameRecorder recorder = new FrameRecorder();

  @AfterEach
  void returnsEveryBuffer() {
    WirePools.close(pool);
  }

  @Test
  void shouldRefuseLengthsThatNoKindHas() {
    assertViolation(Reason.FRAME_LENGTH, FrameLayout.header(FrameLayout.MESSAGE, 1, 7), "least=8");
    assertViolation(
        Reason.FRAME_LENGTH, FrameLayout.header(FrameLayout.MESSAGE, 1, -1), "4294967295");
    assertViolation(
        Reason.FRAME_LENGTH, FrameLayout.header(FrameLayout.REQUEST, 1, 15), "least=16");
    assertViolation(
        Reason.FRAME_LENGTH, FrameLayout.header(FrameLayout.RESPONSE, 1, 8), "least=16");
    assertViolation(
        Reason.FRAME_LENGTH, FrameLayout.header(FrameLayout.FAILURE, 1, 9000), "limit=4112");
    assertViolation(Reason.FRAME_LENGTH, FrameLayout.header(FrameLayout.CREDIT, 0, 33), "limit=32");
    assertViolation(Reason.FRAME_LENGTH, FrameLayout.header(FrameLayout.CREDIT, 0, 31), "least=32");
    assertViolation(
        Reason.FRAME_LENGTH, FrameLayout.header(FrameLayout.HELLO, 0, 2 << 20), "limit=1048576");
    assertViolation(
        Reason.FRAME_LENGTH,
        FrameLayout.header(FrameLayout.MESSAGE, 1, LIMIT + 1),
        "limit=" + LIMIT);
  }

  @Test
  void shouldBoundMessagesOnlyByTheLengthThatTheReceiverTakes() {
    int limit = 32;
    FrameStream stream = new FrameStream();
    for (int kind : new int[] {FrameLayout.FAILURE, FrameLayout.TYPE, FrameLayout.CLOSE}) {
      stream.add(FrameStream.frame(kind, 9, new byte[1000]));
    }
    for (int piece : new int[] {stream.bytes().length, 100, 1}) {
      deliver(new FrameAssembler(recorder, limit, pool), stream.bytes(), piece);
    }
    assertThat(recorder.count()).isEqualTo(9);

    for (int kind = FrameLayout.MESSAGE; kind <= FrameLayout.RESPONSE; kind++) {
      int most = kind == FrameLayout.MESSAGE ? limit : limit + FrameLayout.CORRELATION_LENGTH;
      assertThat(FrameRules.allow(FrameLayout.header(kind, 9, most), limit)).isTrue();
      assertThat(FrameRules.allow(FrameLayout.header(kind, 9, most + 1), limit)).isFalse();
    }
    assertThat(FrameRules.allow(FrameLayout.header(FrameLayout.REQUEST, 9, 16), 0)).isFalse();
    assertThat(FrameRules.allow(FrameLayout.header(FrameLayout.CREDIT, 0, 32), 0)).isFalse();
  }

  @Test
  void shouldRefuseKindsThatAreNotOnTheWire() {
    for (int kind = 0; kind < 256; kind++) {
      boolean known = (kind >= 1 && kind <= 5) || (kind >= 16 && kind <= 29);
      long header = FrameLayout.header(kind, 1, 5000);
      if (!known) {
        assertViolation(Reason.FRAME_KIND, header, "kind=" + kind);
      }
    }
    assertViolation(Reason.FRAME_KIND, FrameLayout.header(FrameLayout.PADDING, 0, 8), "kind=255");
    assertViolation(Reason.FRAME_KIND, 0, "kind=0");
  }

  @Test
  void shouldTakeTheGrantedFlagOnMessagesOnly() {
    FrameStream stream = new FrameStream();
    for (int kind : new int[] {1, 2, 3}) {
      byte[] frame = FrameStream.frame(kind, 9, new byte[16]);
      frame[7] = FrameLayout.GRANTED;
      stream.add(frame);
    }
    deliver(new FrameAssembler(recorder, LIMIT, pool), stream.bytes(), 40);

    assertThat(recorder.bytes()).isEqualTo(stream.bytes());
    assertThat(recorder.headers()).allMatch(FrameLayout::isGranted);
    for (int kind : new int[] {4, 5, 16, 17, 18, 19, 20, 21, 22, 23, 24}) {
      long header = FrameLayout.granted(FrameLayout.header(kind, 0, 32));
      assertViolation(Reason.FRAME_FLAGS, header, "flags=1");
    }
    long tooLong = FrameLayout.granted(FrameLayout.header(FrameLayout.MESSAGE, 1, LIMIT + 8));
    assertViolation(Reason.FRAME_LENGTH, tooLong, "limit=" + LIMIT);
  }

  @Test
  void shouldRefuseFlagsOfLaterVersions() {
    for (int flags = 2; flags < 256; flags++) {
      long header = FrameLayout.header(FrameLayout.MESSAGE, 1, 8) | (long) flags << 56;
      assertViolation(Reason.FRAME_FLAGS, header, "flags=" + flags);
    }
  }

  @Test
  void shouldRefusePaddingThatIsNotZero() {
    for (int bodyLength = 1; bodyLength < 8; bodyLength++) {
      for (int dirty = 8 + bodyLength; dirty < 16; dirty++) {
        byte[] frame = new FrameStream().message(bodyLength).bytes();
        frame[dirty] = (byte) 0x80;
        for (int piece : new int[] {16, 3, 12}) {
          FrameAssembler strict = new FrameAssembler(recorder, LIMIT, pool);
          assertThatExceptionOfType(ProtocolException.class)
              .isThrownBy(() -> deliver(strict, frame, piece))
              .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.FRAME_PADDING))
              .withMessageContaining(
                  "length="
                      + FrameLayout.length(
                          FrameLayout.readHeader(MemorySegment.ofArray(frame), 0)));
        }
      }
    }
    assertThat(recorder.count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\n",
        "PRI * HTTP/2.0\r\n",
        "HTTP/1.1 400 Bad Request\r\n",
        "SSH-2.0-OpenSSH_9.6\r\n",
        "EHLO mail.example.org\r\n",
        "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
        "\u0016\u0003\u0001\u0000\u00c5\u0001\u0000\u0000\u00c1\u0003\u0003",
        "RWBACK\u0000\u0001 a link back with TLS",
        "\r\n\r\n\u0000\r\nQUIT\n"
      })
  void shouldNameTheProtocolThatReachedItByMistake(String greeting) {
    byte[] bytes = greeting.getBytes(StandardCharsets.ISO_8859_1);
    for (int piece : new int[] {bytes.length, 1}) {
      FrameAssembler first = new FrameAssembler(recorder, Handshake.MAX_FRAME_LENGTH, pool);
      assertThatExceptionOfType(ProtocolException.class)
          .isThrownBy(() -> deliver(first, bytes, piece))
          .withMessageContaining("another protocol")
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.NOT_RINGWIRE));
    }
    assertThat(recorder.count()).isZero();
  }

  private void assertViolation(Reason reason, long header, String fact) {
    byte[] good = new FrameStream().message(8).bytes();
    byte[] bad = FrameStream.header(header);
    for (int piece : new int[] {8, 3}) {
      FrameAssembler strict = new FrameAssembler((memory, offset, word) -> {}, LIMIT, pool);
      deliver(strict, good, piece);
      assertThatExceptionOfType(ProtocolException.class)
          .isThrownBy(() -> deliver(strict, bad, piece))
          .withMessageContaining(fact)
          .withMessageContaining("position=16")
          .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
    }
  }

  private static void deliver(FrameAssembler assembler, byte[] stream, int piece) {
    for (int at = 0; at < stream.length; at += piece) {
      assembler.received(MemorySegment.ofArray(stream), at, Math.min(piece, stream.length - at));
    }
  }
}
