package org.ringwire.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.assembly.FrameAssembler;

/**
 * The bytes of every released version, for ever: a fixture is never changed or removed. Each was
 * written down independently of the code that it tests.
 */
@ExtendWith(NodeWatcher.class)
class WireFixturesTest {

  private static final Path FOLDER = Path.of("src/test/resources/wire/v1");
  private static final Path DOCUMENT = Path.of("../docs/wire-format.md");
  private static final long CORRELATION = 0x1_0000_0005L;

  /** Fixtures that this version can read and does not write, or not with fields in this order. */
  private static final List<String> FOREIGN =
      List.of("hello-later", "hello-demanding", "welcome-proved");

  @Test
  void shouldReadHandshakes() {
    assertThat(HandshakeSamples.hello(fixture("hello"))).isEqualTo(HandshakeSamples.HELLO);
    assertThat(HandshakeSamples.hello(fixture("hello-full")))
        .isEqualTo(HandshakeSamples.FULL_HELLO);
    assertThat(HandshakeSamples.welcome(fixture("welcome"))).isEqualTo(HandshakeSamples.WELCOME);
    assertThat(HandshakeSamples.hello(fixture("hello-secret")))
        .isEqualTo(HandshakeSamples.SECRET_HELLO);
    assertThat(HandshakeSamples.welcome(fixture("welcome-proved")).proof())
        .isEqualTo(HandshakeSamples.ACCEPTOR_PROOF);
    assertThat(HandshakeSamples.refusal(fixture("refuse"))).isEqualTo(HandshakeSamples.REFUSAL);
    assertThat(HandshakeSamples.type(fixture("type"))).isEqualTo(HandshakeSamples.EDGE);
  }

  @Test
  void shouldReadHandshakesOfLaterVersions() {
    Hello later = HandshakeSamples.hello(fixture("hello-later"));

    assertThat(later.maxVersion()).isEqualTo(2);
    assertThat(later.features()).isEqualTo(3);
    assertThat(later.types()).containsExactly(HandshakeSamples.EDGE);
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> HandshakeSamples.hello(fixture("hello-demanding")))
        .withMessageContaining("tag=200")
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.FIELD_UNKNOWN));
  }

  @Test
  void shouldReadControlFrames() {
    MemorySegment credit = MemorySegment.ofArray(fixture("credit"));
    assertThat(ControlFrames.processedBytes(credit, 0)).isEqualTo(40_960);
    assertThat(ControlFrames.processedMessages(credit, 0)).isEqualTo(465);
    assertThat(ControlFrames.granted(credit, 0)).isEqualTo(106_496);
    MemorySegment announce = MemorySegment.ofArray(fixture("announce"));
    assertThat(ControlFrames.token(announce, 0)).isEqualTo(3);
    assertThat(ControlFrames.announcedLength(announce, 0)).isEqualTo(1_048_592);
    assertThat(ControlFrames.waivedBytes(MemorySegment.ofArray(fixture("waive")), 0))
        .isEqualTo(2_031_616);
    MemorySegment delay = MemorySegment.ofArray(fixture("delay"));
    assertThat(ControlFrames.token(delay, 0)).isEqualTo(3);
    assertThat(ControlFrames.delayText(delay, 0, FrameLayout.readHeader(delay, 0)))
        .isEqualTo("no memory");
    MemorySegment failure = MemorySegment.ofArray(fixture("failure"));
    long header = FrameLayout.readHeader(failure, 0);
    assertThat(FailureReason.of(FrameLayout.type(header))).isEqualTo(FailureReason.NO_HANDLER);
    assertThat(ControlFrames.correlation(failure, 0)).isEqualTo(CORRELATION);
    assertThat(ControlFrames.failureText(failure, 0, header)).startsWith("no handler");
    MemorySegment close = MemorySegment.ofArray(fixture("close"));
    assertThat(ControlFrames.closeText(close, 0, FrameLayout.readHeader(close, 0)))
        .isEqualTo("node 1 is closing");
  }

  @Test
  void shouldWriteEveryFixtureByteForByte() {
    Map<String, byte[]> written = written();

    written.forEach((name, frame) -> assertThat(frame).as(name).isEqualTo(fixture(name)));
    assertThat(fixtureNames())
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(written.keySet().stream(), FOREIGN.stream()).toList());
  }

  @Test
  void shouldHandOutEveryFixture() {
    try (ReceiveBufferPool pool = WirePools.open()) {
      FrameRecorder recorder = new FrameRecorder();
      FrameStream stream = new FrameStream();
      fixtureNames().forEach(name -> stream.add(fixture(name)));
      try (FrameAssembler assembler = new FrameAssembler(recorder, 1 << 20, pool)) {
        assembler.received(stream.segment(), 0, stream.bytes().length);
      }
      assertThat(recorder.bytes()).isEqualTo(stream.bytes());
      assertThat(recorder.count()).isEqualTo(fixtureNames().size());
    }
  }

  @Test
  void shouldShowTheFixturesInTheDocument() throws IOException {
    String document = Files.readString(DOCUMENT);
    Matcher example =
        Pattern.compile("<!-- fixture: ([a-z-]+) -->\\n+```\\n(.*?)```", Pattern.DOTALL)
            .matcher(document);
    List<String> shown = new ArrayList<>();
    while (example.find()) {
      String name = example.group(1);
      assertThat(example.group(2)).as(name).isEqualTo(text(name));
      shown.add(name);
    }
    assertThat(shown).contains("hello", "welcome", "refuse", "credit", "message-padded", "request");
    assertThat(document.split("<!-- fixture", -1)).hasSize(shown.size() + 1);
  }

  private static Map<String, byte[]> written() {
    Map<String, byte[]> frames = new TreeMap<>();
    frames.put("hello", HandshakeSamples.HELLO.encode());
    frames.put("hello-full", HandshakeSamples.FULL_HELLO.encode());
    frames.put("welcome", HandshakeSamples.WELCOME.encode());
    frames.put("hello-secret", HandshakeSamples.SECRET_HELLO.encode());
    frames.put("challenge", ControlFrames.challenge(HandshakeSamples.CHALLENGE));
    frames.put("proof", ControlFrames.proof(HandshakeSamples.PROOF));
    frames.put("refuse", HandshakeSamples.REFUSAL.encode());
    frames.put("type", HandshakeSamples.EDGE.encode());
    frames.put("message", data(FrameLayout.MESSAGE, 7, counting(1, 16)));
    frames.put("message-padded", data(FrameLayout.MESSAGE, 7, counting(1, 5)));
    frames.put("message-empty", data(FrameLayout.MESSAGE, 0x8000, new byte[0]));
    byte[] granted = data(FrameLayout.MESSAGE, 7, counting(1, 16));
    MemorySegment memory = MemorySegment.ofArray(granted);
    FrameLayout.writeWord(memory, 0, FrameLayout.granted(FrameLayout.readHeader(memory, 0)));
    frames.put("message-granted", granted);
    frames.put("request", correlated(FrameLayout.REQUEST, 7, counting(1, 8)));
    frames.put("response", correlated(FrameLayout.RESPONSE, 8, counting(9, 3)));
    String text = "no handler: messageType=org.example.Edge";
    frames.put("failure", ControlFrames.failure(CORRELATION, FailureReason.NO_HANDLER, text));
    frames.put("credit", ControlFrames.credit(40_960, 465, 106_496));
    frames.put("ping", ControlFrames.ping(0x0807_0605_0403_0201L));
    frames.put("pong", ControlFrames.pong(0x0807_0605_0403_0201L));
    frames.put("announce", ControlFrames.announce(3, 1_048_592));
    frames.put("announce-withdrawn", ControlFrames.announce(3, 0));
    frames.put("grant", ControlFrames.grant(3));
    frames.put("delay", ControlFrames.delay(3, "no memory"));
    frames.put("share", ControlFrames.share());
    frames.put("waive", ControlFrames.waive(2_031_616));
    frames.put("close", ControlFrames.close(CloseReason.NODE_CLOSING, "node 1 is closing"));
    return frames;
  }

  private static byte[] data(int kind, int type, byte[] body) {
    return FrameStream.frame(kind, type, body);
  }

  private static byte[] correlated(int kind, int type, byte[] body) {
    byte[] all = new byte[Long.BYTES + body.length];
    FrameLayout.writeWord(MemorySegment.ofArray(all), 0, CORRELATION);
    System.arraycopy(body, 0, all, Long.BYTES, body.length);
    return FrameStream.frame(kind, type, all);
  }

  private static byte[] counting(int first, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (first + i);
    }
    return bytes;
  }

  private static List<String> fixtureNames() {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.map(file -> file.getFileName().toString().replace(".hex", "")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(String name) {
    try (InputStream file =
        WireFixturesTest.class.getResourceAsStream("/wire/v1/" + name + ".hex")) {
      assertThat(file).as(name).isNotNull();
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The bytes of a fixture: hexadecimal, with comments that begin with a number sign. */
  private static byte[] fixture(String name) {
    return HexFormat.of().parseHex(text(name).replaceAll("#[^\\n]*", "").replaceAll("\\s", ""));
  }
}
