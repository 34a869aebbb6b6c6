package org.ringwire.wire;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/** Handshakes that are also the fixtures of version 1: never to be changed. */
final class HandshakeSamples {

  static final TypeAnnouncement EDGE =
      new TypeAnnouncement(
          7,
          "org.example.Edge",
          0x0123_4567_89AB_CDEFL,
          "Edge(long,int)".getBytes(StandardCharsets.UTF_8));

  static final TypeAnnouncement PLACE = new TypeAnnouncement(0x8000, "Plätze", -1, new byte[0]);

  static final Hello HELLO =
      new Hello(
          1,
          1,
          0,
          "blue",
          1,
          2,
          new Incarnation(0x1122_3344_5566_7788L, 1_767_225_600_000L),
          Incarnation.UNKNOWN,
          true,
          false,
          false,
          Handshake.NO_AUTHENTICATION,
          null,
          new Limits(64 << 20, 0, 4 << 10),
          List.of(EDGE));

  /** Every field that HELLO can have, at its bounds where it has some. */
  static final Hello FULL_HELLO =
      new Hello(
          1,
          0xFFFF,
          -1,
          "grün",
          0xFFFF,
          0,
          new Incarnation(-1, Long.MAX_VALUE),
          42,
          false,
          true,
          false,
          0xFF,
          null,
          new Limits(1 << 30, Integer.MAX_VALUE, Integer.MAX_VALUE),
          List.of(EDGE, PLACE));

  static final Bytes32 CHALLENGE = counting(0x80);
  static final Bytes32 PROOF =
      Bytes32.of(
          HexFormat.of()
              .parseHex("c4c58b0595ba6c969e19aaf4fae167c6823bed966b544af01b7337bdc9ffdf60"));
  static final Bytes32 ACCEPTOR_PROOF =
      Bytes32.of(
          HexFormat.of()
              .parseHex("3abfe8e787b2b61d6be30a110b619d4da2f854be86ee8a9ac129aad5698066ab"));

  static final Hello SECRET_HELLO =
      new Hello(
          1,
          1,
          0,
          "blue",
          1,
          2,
          new Incarnation(0x1122_3344_5566_7788L, 1_767_225_600_000L),
          Incarnation.UNKNOWN,
          true,
          false,
          false,
          Handshake.SHARED_SECRET,
          counting(0x40),
          new Limits(64 << 20, 0, 4 << 10),
          List.of());

  static final Welcome WELCOME =
      new Welcome(
          1,
          0,
          2,
          new Incarnation(0x99AA_BBCC_DDEE_FF00L, 1_767_225_601_500L),
          0x1122_3344_5566_7788L,
          true,
          false,
          null,
          new Limits(64 << 20, 64 << 10, 4 << 10),
          List.of(PLACE));

  static final Refusal REFUSAL =
      new Refusal(RefusalReason.WRONG_CLUSTER, "this is cluster \"green\"");

  private HandshakeSamples() {}

  private static Bytes32 counting(int first) {
    byte[] bytes = new byte[Bytes32.LENGTH];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (first + i);
    }
    return Bytes32.of(bytes);
  }

  static Hello hello(byte[] frame) {
    MemorySegment memory = MemorySegment.ofArray(frame);
    return Hello.parse(memory, 0, FrameLayout.readHeader(memory, 0));
  }

  static Welcome welcome(byte[] frame) {
    MemorySegment memory = MemorySegment.ofArray(frame);
    return Welcome.parse(memory, 0, FrameLayout.readHeader(memory, 0));
  }

  static Refusal refusal(byte[] frame) {
    MemorySegment memory = MemorySegment.ofArray(frame);
    return Refusal.parse(memory, 0, FrameLayout.readHeader(memory, 0));
  }

  static TypeAnnouncement type(byte[] frame) {
    MemorySegment memory = MemorySegment.ofArray(frame);
    return TypeAnnouncement.parse(memory, 0, FrameLayout.readHeader(memory, 0));
  }
}
