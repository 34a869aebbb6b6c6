package org.ringwire.wire;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.ProtocolException.Reason;

/**
 * What a sender calls one of its message types: the id that its frames carry, and by what the
 * receiver knows the type. Stands in HELLO and WELCOME, and alone in a TYPE frame.
 */
public final class TypeAnnouncement {

  /** The longest name, in bytes of UTF-8. */
  public static final int MAX_NAME_LENGTH = 1024;

  /** The longest schema, in bytes. */
  public static final int MAX_SCHEMA_LENGTH = 32 << 10;

  /** The longest TYPE frame, in bytes, with room for fields of later versions. */
  public static final int MAX_FRAME_LENGTH = 40 << 10;

  private static final int NAME = 1;
  private static final int FINGERPRINT = 2;
  private static final int SCHEMA = 3;
  private static final int HEAD_LENGTH = 6;
  private static final int MAX_ID = 0xFFFF;

  private final int id;
  private final String name;
  private final long fingerprint;
  private final byte[] schema;

  /**
   * An announcement.
   *
   * @param id 0 to 65535
   * @param name 1 to {@value #MAX_NAME_LENGTH} bytes in UTF-8, no white space or control characters
   * @param fingerprint of the schema; equal fingerprints mean equal encodings
   * @param schema at most {@value #MAX_SCHEMA_LENGTH} bytes, from which a receiver whose version of
   *     the type differs learns to read it; empty if it is not told. Copied
   */
  public TypeAnnouncement(int id, String name, long fingerprint, byte[] schema) {
    int nameLength = name.getBytes(StandardCharsets.UTF_8).length;
    if (id < 0
        || id > MAX_ID
        || nameLength == 0
        || !isName(name)
        || nameLength > MAX_NAME_LENGTH
        || schema.length > MAX_SCHEMA_LENGTH) {
      throw new IllegalArgumentException(
          "a type announcement exceeds its limits: id="
              + id
              + " nameLength="
              + nameLength
              + " schemaLength="
              + schema.length);
    }
    this.id = id;
    this.name = name;
    this.fingerprint = fingerprint;
    this.schema = schema.clone();
  }

  /**
   * Reads a TYPE frame.
   *
   * @throws ProtocolException if the frame breaks a rule
   */
  public static TypeAnnouncement parse(MemorySegment memory, long offset, long header) {
    FieldReader in = FieldReader.ofFrame("TYPE", memory, offset, header, MAX_FRAME_LENGTH);
    return read(in, FrameLayout.type(header));
  }

  /** Reads the value of a field of HELLO or WELCOME. */
  static TypeAnnouncement readField(FieldReader in) {
    int id = (int) in.raw(2);
    return read(in, id);
  }

  /** A name is shown in errors and logs: it has no characters that part or hide lines there. */
  private static boolean isName(String text) {
    return text.chars().noneMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c));
  }

  private static TypeAnnouncement read(FieldReader in, int id) {
    String name = null;
    long fingerprint = 0;
    byte[] schema = {};
    while (in.next()) {
      switch (in.tag()) {
        case NAME -> name = in.text(NAME, "name", 1, MAX_NAME_LENGTH);
        case FINGERPRINT -> fingerprint = in.number(FINGERPRINT, "fingerprint", Long.BYTES);
        case SCHEMA -> schema = in.bytes(SCHEMA, "schema", MAX_SCHEMA_LENGTH);
        default -> in.skipUnknown();
      }
    }
    if (name != null && !isName(name)) {
      throw new ProtocolException(
          Reason.TEXT, "TYPE name has white space or control characters: typeId=" + id);
    }
    in.require(FINGERPRINT, "fingerprint");
    return new TypeAnnouncement(id, in.require(NAME, "name", name), fingerprint, schema);
  }

  /** Bytes of the name, in UTF-8, and of the schema: what it costs to keep the announcement. */
  public int keptLength() {
    return name.getBytes(StandardCharsets.UTF_8).length + schema.length;
  }

  /** Bytes that this announcement takes in a HELLO or WELCOME. */
  public int fieldLength() {
    return HEAD_LENGTH + valueLength();
  }

  /** A TYPE frame, header and padding included; a multiple of 8 bytes. */
  public byte[] encode() {
    return writeFields(new FieldWriter()).frame(FrameLayout.TYPE, id, MAX_FRAME_LENGTH);
  }

  /** Writes a field of HELLO or WELCOME. */
  void writeField(FieldWriter out) {
    writeFields(out.head(Handshake.TYPE | FieldWriter.REQUIRED, valueLength()).raw(2, id));
  }

  private FieldWriter writeFields(FieldWriter out) {
    out.text(NAME | FieldWriter.REQUIRED, name);
    out.number(FINGERPRINT | FieldWriter.REQUIRED, Long.BYTES, fingerprint);
    return schema.length == 0 ? out : out.bytes(SCHEMA, schema);
  }

  private int valueLength() {
    int schemaLength = schema.length == 0 ? 0 : HEAD_LENGTH + schema.length;
    int nameLength = name.getBytes(StandardCharsets.UTF_8).length;
    return Short.BYTES + HEAD_LENGTH + nameLength + HEAD_LENGTH + Long.BYTES + schemaLength;
  }

  /** The id that frames of this type carry from this sender, 0 to 65535. */
  public int id() {
    return id;
  }

  /** The name that the receiver looks the type up by. */
  public String name() {
    return name;
  }

  /** Equal fingerprints mean equal encodings. */
  public long fingerprint() {
    return fingerprint;
  }

  /** A copy of the schema in bytes; empty if the sender did not tell it. */
  public byte[] schema() {
    return schema.clone();
  }

  /** Bytes of the schema; 0 if the sender did not tell it. */
  public int schemaLength() {
    return schema.length;
  }

  /** The same type without what is needed only to compare it. */
  public TypeAnnouncement withoutSchema() {
    return schema.length == 0 ? this : new TypeAnnouncement(id, name, fingerprint, new byte[0]);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TypeAnnouncement that
        && id == that.id
        && name.equals(that.name)
        && fingerprint == that.fingerprint
        && Arrays.equals(schema, that.schema);
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, name, fingerprint);
  }

  @Override
  public String toString() {
    return "TypeAnnouncement[id="
        + id
        + " name="
        + Utf8.quote(name)
        + " fingerprint="
        + Long.toHexString(fingerprint)
        + " schemaLength="
        + schema.length
        + "]";
  }
}
