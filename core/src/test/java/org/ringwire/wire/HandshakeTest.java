package org.ringwire.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.ProtocolException.Reason;

@ExtendWith(NodeWatcher.class)
class HandshakeTest {

  private static final int REQUIRED = FieldWriter.REQUIRED;

  @Test
  void shouldReadWhatItWrote() {
    assertThat(HandshakeSamples.hello(HandshakeSamples.HELLO.encode()))
        .isEqualTo(HandshakeSamples.HELLO);
    assertThat(HandshakeSamples.hello(HandshakeSamples.FULL_HELLO.encode()))
        .isEqualTo(HandshakeSamples.FULL_HELLO);
    assertThat(HandshakeSamples.welcome(HandshakeSamples.WELCOME.encode()))
        .isEqualTo(HandshakeSamples.WELCOME);
    assertThat(HandshakeSamples.refusal(HandshakeSamples.REFUSAL.encode()))
        .isEqualTo(HandshakeSamples.REFUSAL);
    assertThat(HandshakeSamples.type(HandshakeSamples.EDGE.encode()))
        .isEqualTo(HandshakeSamples.EDGE);
    assertThat(HandshakeSamples.type(HandshakeSamples.PLACE.encode()))
        .isEqualTo(HandshakeSamples.PLACE);
  }

  @Test
  void shouldReadAtAnyOffset() {
    byte[] frame = HandshakeSamples.HELLO.encode();
    byte[] shifted = new byte[frame.length + 3];
    System.arraycopy(frame, 0, shifted, 3, frame.length);
    MemorySegment memory = MemorySegment.ofArray(shifted);

    assertThat(Hello.parse(memory, 3, FrameLayout.readHeader(memory, 3)))
        .isEqualTo(HandshakeSamples.HELLO);
  }

  @Test
  void shouldKeepAnAnnouncementFromItsCallers() {
    byte[] schema = {1, 2, 3};
    TypeAnnouncement type = new TypeAnnouncement(1, "T", 2, schema);
    schema[0] = 9;
    type.schema()[1] = 9;

    assertThat(type.schema()).containsExactly(1, 2, 3);
    assertThat(type).isNotEqualTo(new TypeAnnouncement(1, "T", 2, new byte[3]));
    assertThat(type).hasSameHashCodeAs(new TypeAnnouncement(1, "T", 2, new byte[] {1, 2, 3}));
  }

  @Test
  void shouldKnowHowMuchAnAnnouncementTakes() {
    Hello without = HandshakeSamples.hello(hello(out -> {}));
    int rest =
        FrameLayout.length(FrameLayout.readHeader(MemorySegment.ofArray(without.encode()), 0));
    for (TypeAnnouncement type : List.of(HandshakeSamples.EDGE, HandshakeSamples.PLACE)) {
      byte[] with = withTypes(List.of(type)).encode();

      assertThat(FrameLayout.length(FrameLayout.readHeader(MemorySegment.ofArray(with), 0)))
          .isEqualTo(rest + type.fieldLength());
    }
  }

  @Test
  void shouldHoldAsManyAnnouncementsAsItSays() {
    List<TypeAnnouncement> types = new ArrayList<>();
    int length = 0;
    while (true) {
      TypeAnnouncement type =
          new TypeAnnouncement(types.size(), "T" + types.size(), 1, new byte[20]);
      if (length + type.fieldLength() > Handshake.MAX_TYPES_LENGTH) {
        break;
      }
      length += type.fieldLength();
      types.add(type);
    }

    assertThat(HandshakeSamples.hello(withTypes(types).encode()).types()).isEqualTo(types);
    for (int i = 0; i < 100; i++) {
      types.add(new TypeAnnouncement(types.size(), "T" + types.size(), 1, new byte[20]));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> withTypes(types).encode())
        .withMessageContaining("limit=1048576");
  }

  @Test
  void shouldRefuseOtherProtocolsAndVersions() {
    byte[] magic = HandshakeSamples.HELLO.encode();
    magic[8] = 'r';
    assertViolation(Reason.NOT_RINGWIRE, "magic", () -> HandshakeSamples.hello(magic));
    assertViolation(Reason.VERSION, "minVersion=2 maxVersion=3 ours=1", versions(2, 3, 0));
    assertViolation(Reason.VALUE, "minVersion=0", versions(0, 1, 0));
    assertViolation(Reason.VALUE, "minVersion=2 maxVersion=1", versions(2, 1, 0));
    assertViolation(Reason.VALUE, "reserved=1", versions(1, 1, 1));
    byte[] welcome = HandshakeSamples.WELCOME.encode();
    welcome[8] = 2;
    assertViolation(Reason.VERSION, "version=2", () -> HandshakeSamples.welcome(welcome));
    for (int reserved = 10; reserved < 16; reserved++) {
      byte[] dirty = HandshakeSamples.WELCOME.encode();
      dirty[reserved] = 1;
      assertViolation(Reason.VALUE, "reserved=", () -> HandshakeSamples.welcome(dirty));
    }
  }

  @Test
  void shouldSkipUnknownFieldsUnlessTheyAreRequired() {
    byte[] optional =
        hello(
            out -> out.bytes(77, new byte[100]).bytes(77, new byte[0]).bytes(0x7FFF, new byte[1]));
    byte[] required = hello(out -> out.bytes(77 | REQUIRED, new byte[100]));

    assertThat(HandshakeSamples.hello(optional).cluster()).isEqualTo("c");
    assertViolation(Reason.FIELD_UNKNOWN, "tag=77", () -> HandshakeSamples.hello(required));
  }

  @Test
  void shouldTakeAKnownFieldWhetherItSaysThatItIsRequiredOrNot() {
    byte[] frame =
        hello(out ->
            out.number(Handshake.EXPECTED_NODE, 2, 5).number(REQUIRED | Handshake.FEATURES, 8, 6));

    assertThat(HandshakeSamples.hello(frame).expectedNodeId()).isEqualTo(5);
    assertThat(HandshakeSamples.hello(frame).features()).isEqualTo(6);
  }

  @Test
  void shouldRefuseFieldsThatStandTwice() {
    for (int tag :
        List.of(
            Handshake.CLUSTER,
            Handshake.NODE,
            Handshake.INCARNATION,
            Handshake.LINK,
            Handshake.WINDOW)) {
      byte[] frame = hello(out -> out.bytes(tag | REQUIRED, new byte[0]));

      assertViolation(Reason.FIELD_DUPLICATE, "tag=" + tag, () -> HandshakeSamples.hello(frame));
    }
    TypeAnnouncement again = new TypeAnnouncement(7, "other", 1, new byte[0]);
    byte[] twice =
        hello(out -> {
          HandshakeSamples.EDGE.writeField(out);
          again.writeField(out);
        });
    assertViolation(Reason.FIELD_DUPLICATE, "id=7", () -> HandshakeSamples.hello(twice));
  }

  @Test
  void shouldNameFieldsThatAreMissing() {
    byte[] hello = fields(FrameLayout.HELLO, HandshakeTest::start);
    assertViolation(Reason.FIELD_MISSING, "name=cluster", () -> HandshakeSamples.hello(hello));
    byte[] welcome = fields(FrameLayout.WELCOME, out -> out.raw(8, 1));
    assertViolation(Reason.FIELD_MISSING, "name=nodeId", () -> HandshakeSamples.welcome(welcome));
    byte[] stranger =
        fields(
            FrameLayout.WELCOME,
            out -> {
              out.raw(8, 1);
              PeerFields.write(out, 1, Handshake.ANY_NODE, new Incarnation(1, 1), 0, 1);
            });
    assertViolation(
        Reason.FIELD_MISSING, "name=expectedIncarnation", () -> HandshakeSamples.welcome(stranger));
    byte[] type = fields(FrameLayout.TYPE, out -> out.text(1, "name"));
    assertViolation(Reason.FIELD_MISSING, "name=fingerprint", () -> HandshakeSamples.type(type));
    byte[] unnamed = fields(FrameLayout.TYPE, out -> out.number(2, 8, 1));
    assertViolation(Reason.FIELD_MISSING, "name=name", () -> HandshakeSamples.type(unnamed));
  }

  @Test
  void shouldRefuseValuesOutOfRange() {
    assertViolation(Reason.VALUE, "incarnation", incarnation(0, 5));
    assertViolation(Reason.VALUE, "startMs=-1", incarnation(5, -1));
    assertViolation(Reason.VALUE, "link=8", limits(8, 1, 1, 1));
    assertViolation(Reason.VALUE, "maxMessageLength=0", limits(0, 0, 1, 1));
    assertViolation(Reason.VALUE, "maxMessageLength=1073741825", limits(0, (1 << 30) + 1, 1, 1));
    assertViolation(Reason.VALUE, "initialWindow=-1", limits(0, 1, -1, 1));
    assertViolation(Reason.VALUE, "responseReservation=2147483648", limits(0, 1, 1, 1L << 31));
  }

  @Test
  void shouldAskWhoIsThereInAHelloOnly() {
    byte[] welcome =
        fields(
            FrameLayout.WELCOME,
            out -> {
              out.raw(8, 1);
              PeerFields.write(
                  out, 1, Handshake.ANY_NODE, new Incarnation(1, 1), 1, Handshake.INQUIRY);
              PeerFields.write(out, new Limits(1, 1, 1), List.of());
            });
    assertViolation(Reason.VALUE, "asks who", () -> HandshakeSamples.welcome(welcome));
    Hello inquiry =
        new Hello(
            1,
            1,
            0,
            "blue",
            7,
            Handshake.ANY_NODE,
            new Incarnation(1, 1),
            Incarnation.UNKNOWN,
            false,
            false,
            true,
            Handshake.NO_AUTHENTICATION,
            null,
            new Limits(1, 0, 0),
            List.of());
    assertThat(HandshakeSamples.hello(inquiry.encode())).isEqualTo(inquiry);
  }

  @Test
  void shouldRefuseFieldsOfAWrongLength() {
    byte[] node = hello(out -> out.number(Handshake.EXPECTED_NODE, 4, 5));
    assertViolation(
        Reason.FIELD_LENGTH,
        "name=expectedNodeId length=4 expected=2",
        () -> HandshakeSamples.hello(node));
    byte[] after = hello(out -> out.head(99, 1));
    assertViolation(
        Reason.FIELD_LENGTH, "tag=99 length=1 remaining=0", () -> HandshakeSamples.hello(after));
    byte[] huge = hello(out -> out.head(99, -1));
    assertViolation(Reason.FIELD_LENGTH, "length=4294967295", () -> HandshakeSamples.hello(huge));
    byte[] within = hello(out -> out.raw(4, 99));
    assertViolation(Reason.FIELD_LENGTH, "remaining=4", () -> HandshakeSamples.hello(within));
    byte[] cut = fields(FrameLayout.HELLO, out -> out.raw(8, Handshake.MAGIC).raw(2, 1));
    assertViolation(Reason.FIELD_LENGTH, "ends too early", () -> HandshakeSamples.hello(cut));
    byte[] authentication = hello(out -> out.number(Handshake.AUTHENTICATION, 2, 0));
    assertViolation(
        Reason.FIELD_LENGTH, "authentication", () -> HandshakeSamples.hello(authentication));
    byte[] nothing = hello(out -> out.head(Handshake.AUTHENTICATION, 0));
    assertViolation(Reason.FIELD_LENGTH, "authentication", () -> HandshakeSamples.hello(nothing));
    byte[] schema =
        fields(
            FrameLayout.TYPE,
            out -> out.bytes(3, new byte[TypeAnnouncement.MAX_SCHEMA_LENGTH + 1]));
    assertViolation(Reason.FIELD_LENGTH, "name=schema", () -> HandshakeSamples.type(schema));
  }

  @Test
  void shouldLeaveTheDataOfAnUnknownAuthenticationMethodToLaterVersions() {
    byte[] frame = hello(out -> out.bytes(Handshake.AUTHENTICATION, new byte[] {3, 1, 2, 3}));

    assertThat(HandshakeSamples.hello(frame).authentication()).isEqualTo(3);
  }

  @Test
  void shouldRefuseTextThatIsNotUtf8OrTooLong() {
    byte[] name =
        fields(FrameLayout.TYPE, out -> out.bytes(1, new byte[] {(byte) 0xC0, (byte) 0x80}));
    assertViolation(Reason.TEXT, "TYPE name", () -> HandshakeSamples.type(name));
    for (String line : List.of("a\nb", "a b", "a\u0085b", "a\u2028b", "a\u001bb")) {
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      byte[] lines = fields(FrameLayout.TYPE, out -> out.bytes(1, bytes));
      assertViolation(Reason.TEXT, "TYPE name has", () -> HandshakeSamples.type(lines));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new TypeAnnouncement(1, line, 1, new byte[0]));
    }
    byte[] surrogate =
        fields(
            FrameLayout.TYPE,
            out -> out.bytes(1, new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}));
    assertViolation(Reason.TEXT, "not UTF-8", () -> HandshakeSamples.type(surrogate));
    byte[] empty = fields(FrameLayout.TYPE, out -> out.text(1, ""));
    assertViolation(Reason.TEXT, "too short", () -> HandshakeSamples.type(empty));
    byte[] longName = fields(FrameLayout.TYPE, out -> out.text(1, "x".repeat(1025)));
    assertViolation(Reason.TEXT, "length=1025 limit=1024", () -> HandshakeSamples.type(longName));
    byte[] cluster =
        fields(FrameLayout.HELLO, out -> start(out).text(Handshake.CLUSTER, "x".repeat(256)));
    assertViolation(Reason.TEXT, "cluster", () -> HandshakeSamples.hello(cluster));
    byte[] refusal =
        new FieldWriter().plain(new byte[] {'a', -1}).frame(FrameLayout.REFUSE, 1, 100);
    assertViolation(Reason.TEXT, "REFUSE", () -> HandshakeSamples.refusal(refusal));
  }

  @Test
  void shouldRefuseFramesOverTheLimitOfTheHandshake() {
    byte[] frame = HandshakeSamples.HELLO.encode();
    MemorySegment memory = MemorySegment.ofArray(frame);
    long tooLong = FrameLayout.header(FrameLayout.HELLO, 0, Handshake.MAX_FRAME_LENGTH + 1);
    assertViolation(Reason.FRAME_LENGTH, "limit=1048576", () -> Hello.parse(memory, 0, tooLong));
    long tooShort = FrameLayout.header(FrameLayout.HELLO, 0, 7);
    assertViolation(Reason.FRAME_LENGTH, "length=7", () -> Hello.parse(memory, 0, tooShort));
    long type = FrameLayout.header(FrameLayout.TYPE, 0, TypeAnnouncement.MAX_FRAME_LENGTH + 1);
    assertViolation(Reason.FRAME_LENGTH, "TYPE", () -> TypeAnnouncement.parse(memory, 0, type));
  }

  @Test
  void shouldMapViolationsToRefusals() {
    Refusal version = Refusal.of(new ProtocolException(Reason.VERSION, "no common version"));
    assertThat(version.reason()).isEqualTo(RefusalReason.WRONG_VERSION);
    assertThat(version.text()).isEqualTo("no common version");
    assertThat(RefusalReason.of(Reason.FIELD_UNKNOWN)).isEqualTo(RefusalReason.UNSUPPORTED);
    assertThat(RefusalReason.of(Reason.TEXT)).isEqualTo(RefusalReason.MALFORMED);
    assertThat(new Refusal(999, "later").reason()).isEqualTo(RefusalReason.UNKNOWN);
    assertThat(RefusalReason.of(-1)).isEqualTo(RefusalReason.UNKNOWN);
  }

  @Test
  void shouldCutLongTextsBetweenCharacters() {
    String text = "ü".repeat(3000);

    String read = HandshakeSamples.refusal(new Refusal(1, "x" + text).encode()).text();

    assertThat(read).isEqualTo("x" + "ü".repeat(2047));
    assertThat(read.getBytes(StandardCharsets.UTF_8)).hasSize(ControlFrames.MAX_TEXT_LENGTH - 1);
  }

  @Test
  void shouldValidateItsOwnSide() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Incarnation(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Limits(0, 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Limits(1, -1, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TypeAnnouncement(65_536, "n", 1, new byte[0]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TypeAnnouncement(1, "", 1, new byte[0]));
    assertThatIllegalArgumentException().isThrownBy(() -> new Refusal(65_536, ""));
    assertThatIllegalArgumentException().isThrownBy(() -> own("c".repeat(256), 1, -1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> own("c", 65_536, -1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> own("c", 1, -2, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> own("c", 1, -1, 256));
  }

  private static Hello own(String cluster, int nodeId, int expected, int authentication) {
    return new Hello(
        1,
        1,
        0,
        cluster,
        nodeId,
        expected,
        new Incarnation(1, 1),
        0,
        true,
        false,
        false,
        authentication,
        null,
        new Limits(1, 1, 1),
        List.of());
  }

  private static Hello withTypes(List<TypeAnnouncement> types) {
    return new Hello(
        1,
        1,
        0,
        "c",
        1,
        -1,
        new Incarnation(1, 1),
        0,
        true,
        false,
        false,
        0,
        null,
        new Limits(1, 1, 1),
        types);
  }

  private static FieldWriter start(FieldWriter out) {
    return out.raw(8, Handshake.MAGIC).raw(2, 1).raw(2, 1).raw(4, 0);
  }

  /** A HELLO with all that it must have, and more. */
  private static byte[] hello(Consumer<FieldWriter> more) {
    return fields(
        FrameLayout.HELLO,
        out -> {
          start(out).text(Handshake.CLUSTER, "c");
          PeerFields.write(out, 1, Handshake.ANY_NODE, new Incarnation(1, 1), 0, 1);
          PeerFields.write(out, new Limits(1, 1, 1), List.of());
          more.accept(out);
        });
  }

  private static ThrowingCallable versions(int least, int most, int reserved) {
    byte[] frame =
        fields(
            FrameLayout.HELLO,
            out -> out.raw(8, Handshake.MAGIC).raw(2, least).raw(2, most).raw(4, reserved));
    return () -> HandshakeSamples.hello(frame);
  }

  private static ThrowingCallable incarnation(long id, long startMs) {
    byte[] frame =
        fields(
            FrameLayout.HELLO,
            out -> start(out).head(Handshake.INCARNATION, 16).raw(8, id).raw(8, startMs));
    return () -> HandshakeSamples.hello(frame);
  }

  private static ThrowingCallable limits(int link, int message, long window, long reservation) {
    byte[] frame =
        fields(
            FrameLayout.HELLO,
            out ->
                start(out)
                    .number(Handshake.LINK, 1, link)
                    .number(Handshake.MAX_MESSAGE, 4, message)
                    .number(Handshake.WINDOW, 8, window)
                    .number(Handshake.RESPONSE_RESERVATION, 8, reservation));
    return () -> HandshakeSamples.hello(frame);
  }

  private static byte[] fields(int kind, Consumer<FieldWriter> content) {
    FieldWriter out = new FieldWriter();
    content.accept(out);
    return out.frame(kind, 7, Integer.MAX_VALUE - 8);
  }

  private static void assertViolation(Reason reason, String fact, ThrowingCallable action) {
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(action)
        .withMessageContaining(fact)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
  }
}
