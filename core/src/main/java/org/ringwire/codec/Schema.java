package org.ringwire.codec;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.generate.layout.TypeNames;

/**
 * What the bytes of a message type mean, in a canonical text that two nodes compare when they
 * connect: the components of a record in order, and every record, enum and sealed interface that
 * they use. The grammar is in {@code docs/encoding.md}. Immutable.
 */
public final class Schema {
  /**
   * The longest text that is read from a peer or made for a type, in bytes of UTF-8: what the
   * announcement of a type can carry. A type that needs more is refused when it is registered.
   */
  public static final int MAX_LENGTH = 32 * 1024;

  private static final String FIRST_LINE = "encoding 1";
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /** Alone: what it says takes many times as much, and is rarely asked for. */
  private final String text;

  private final long fingerprint;

  private Schema(String text) {
    this.text = text;
    this.fingerprint = fingerprintOf(text.getBytes(StandardCharsets.UTF_8));
  }

  /** One type: a record with components, an enum with constants, and so on. */
  private record Definition(String kind, String name, Map<String, String> members) {
    String memberWord() {
      return switch (kind) {
        case "record" -> "component";
        case "enum" -> "constant";
        case "sealed" -> "subtype";
        default -> "codec";
      };
    }
  }

  /**
   * The schema of a type with a hand-written codec: its name and the codec's version.
   *
   * @param name the name of the type, without white space
   * @param version see {@link Codec#version}
   * @return the schema
   */
  public static Schema opaque(String name, int version) {
    return of(FIRST_LINE + "\nopaque " + name + "\n version " + version + "\n");
  }

  /**
   * A schema from its text.
   *
   * @param text as {@link #toString} returns it
   * @return the schema
   * @throws DecodingException if that is no such text
   */
  public static Schema of(String text) {
    if (text.length() > MAX_LENGTH || text.getBytes(StandardCharsets.UTF_8).length > MAX_LENGTH) {
      throw new DecodingException(
          "schema too long: length=" + text.length() + " maximum=" + MAX_LENGTH);
    }
    checkCharacters(text);
    Map<String, Definition> _ = definitions(text);
    return new Schema(text);
  }

  /** What a text says, whose types are in its order. */
  private static Map<String, Definition> definitions(String text) {
    int start = FIRST_LINE.length() + 1;
    int end = text.length() - 1;
    if (end < start || !text.startsWith(FIRST_LINE + "\n") || !text.endsWith("\n")) {
      throw new DecodingException("schema does not start with \"" + FIRST_LINE + "\"");
    }
    String[] lines = text.substring(start, end).split("\n", -1);
    Map<String, Definition> definitions = new LinkedHashMap<>();
    Definition current = null;
    for (String line : lines) {
      if (line.startsWith(" ")) {
        addMember(current, line.substring(1));
      } else {
        current = definition(line);
        if (definitions.put(current.name(), current) != null) {
          throw new DecodingException("schema defines a type twice: " + current.name());
        }
      }
    }
    return definitions;
  }

  /** Names of a peer come into errors and logs, which must not get lines that are the peer's. */
  private static void checkCharacters(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\n' && c != ' ' && TypeNames.isForeign(c)) {
        throw new DecodingException("schema has a character that no name has: code=" + (int) c);
      }
    }
  }

  private static Definition definition(String line) {
    int space = line.indexOf(' ');
    String kind = space < 0 ? line : line.substring(0, space);
    String name = line.substring(space + 1);
    boolean known =
        kind.equals("record")
            || kind.equals("enum")
            || kind.equals("sealed")
            || kind.equals("opaque");
    if (!known || space < 0 || name.isEmpty() || name.indexOf(' ') >= 0) {
      throw new DecodingException("schema has a malformed line: " + line);
    }
    return new Definition(kind, name, new LinkedHashMap<>());
  }

  /** Names may have spaces, as other languages allow; types have none. */
  private static void addMember(@Nullable Definition definition, String line) {
    int space = definition == null || definition.kind().equals("enum") ? -1 : line.lastIndexOf(' ');
    String name = space < 0 ? line : line.substring(0, space);
    String type = space < 0 ? "" : line.substring(space + 1);
    if (definition == null || name.isEmpty() || definition.members().put(name, type) != null) {
      throw new DecodingException("schema has a malformed line: " + line);
    }
  }

  /**
   * A schema from bytes that a peer sent.
   *
   * @param bytes as {@link #toBytes} returns them
   * @return the schema
   * @throws DecodingException if they are no such bytes, or more than {@link #MAX_LENGTH}
   */
  public static Schema parse(byte[] bytes) {
    if (bytes.length > MAX_LENGTH) {
      throw new DecodingException(
          "schema too long: length=" + bytes.length + " maximum=" + MAX_LENGTH);
    }
    try {
      return of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      throw new DecodingException("schema is not UTF-8: length=" + bytes.length, e);
    }
  }

  /**
   * The text as UTF-8, for {@link #parse}.
   *
   * @return a new array of at most {@link #MAX_LENGTH} bytes
   */
  public byte[] toBytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * A hash of the text (64-bit FNV-1a of its UTF-8 bytes): equal for equal schemas, and different
   * for different ones, but for accidents of one in 2^64.
   *
   * @return any value
   */
  public long fingerprint() {
    return fingerprint;
  }

  private static long fingerprintOf(byte[] bytes) {
    long hash = FNV_OFFSET;
    for (byte b : bytes) {
      hash = (hash ^ (b & 0xff)) * FNV_PRIME;
    }
    return hash;
  }

  /**
   * What keeps two sides from understanding each other, named by type and component. This schema is
   * that of the reader.
   *
   * @param other the schema of the same type at the peer, the writer
   * @return empty if the schemas are equal, else the first difference: {@code "org.example.Order:
   *     component text: int at the reader, String at the writer"}
   */
  public Optional<String> difference(Schema other) {
    if (text.equals(other.text)) {
      return Optional.empty();
    }
    Map<String, Definition> ours = definitions(text);
    Map<String, Definition> theirs = definitions(other.text);
    for (Definition here : ours.values()) {
      Definition there = theirs.get(here.name());
      if (there == null) {
        return Optional.of(
            here.name() + ": " + here.kind() + " at the reader, missing at the writer");
      }
      Optional<String> difference = difference(here, there);
      if (difference.isPresent()) {
        return difference.map(what -> here.name() + ": " + what);
      }
    }
    for (Definition there : theirs.values()) {
      if (!ours.containsKey(there.name())) {
        return Optional.of(
            there.name() + ": missing at the reader, " + there.kind() + " at the writer");
      }
    }
    return Optional.of("the same types in another order");
  }

  private static Optional<String> difference(Definition here, Definition there) {
    if (!here.kind().equals(there.kind())) {
      return Optional.of(here.kind() + " at the reader, " + there.kind() + " at the writer");
    }
    String word = here.memberWord() + " ";
    for (Map.Entry<String, String> member : here.members().entrySet()) {
      String name = member.getKey();
      String type = there.members().get(name);
      if (type == null) {
        return Optional.of(
            word
                + name
                + ": "
                + present(member.getValue())
                + " at the reader, missing at the writer");
      }
      if (!type.equals(member.getValue())) {
        return Optional.of(
            word + name + ": " + member.getValue() + " at the reader, " + type + " at the writer");
      }
    }
    for (Map.Entry<String, String> member : there.members().entrySet()) {
      if (!here.members().containsKey(member.getKey())) {
        String type = present(member.getValue());
        return Optional.of(
            word + member.getKey() + ": missing at the reader, " + type + " at the writer");
      }
    }
    List<String> namesHere = new ArrayList<>(here.members().keySet());
    List<String> namesThere = new ArrayList<>(there.members().keySet());
    return namesHere.equals(namesThere)
        ? Optional.empty()
        : Optional.of(
            "order of components: "
                + namesHere
                + " at the reader, "
                + namesThere
                + " at the writer");
  }

  private static String present(String type) {
    return type.isEmpty() ? "present" : type;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Schema schema && text.equals(schema.text);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(fingerprint);
  }

  /** The canonical text, several lines. */
  @Override
  public String toString() {
    return text;
  }
}
