package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.codec.GeneratedCodecTest.Arrays1;
import org.ringwire.codec.GeneratedCodecTest.Boxed;
import org.ringwire.codec.GeneratedCodecTest.Circle;
import org.ringwire.codec.GeneratedCodecTest.Collections1;
import org.ringwire.codec.GeneratedCodecTest.Colour;
import org.ringwire.codec.GeneratedCodecTest.Compacts;
import org.ringwire.codec.GeneratedCodecTest.Drawing;
import org.ringwire.codec.GeneratedCodecTest.Empties;
import org.ringwire.codec.GeneratedCodecTest.Empty;
import org.ringwire.codec.GeneratedCodecTest.Group;
import org.ringwire.codec.GeneratedCodecTest.Line;
import org.ringwire.codec.GeneratedCodecTest.Merged;
import org.ringwire.codec.GeneratedCodecTest.Named;
import org.ringwire.codec.GeneratedCodecTest.Optionals;
import org.ringwire.codec.GeneratedCodecTest.Pair;
import org.ringwire.codec.GeneratedCodecTest.Pairs;
import org.ringwire.codec.GeneratedCodecTest.Point;
import org.ringwire.codec.GeneratedCodecTest.Primitives;
import org.ringwire.codec.GeneratedCodecTest.References;
import org.ringwire.codec.GeneratedCodecTest.Square;
import org.ringwire.codec.GeneratedCodecTest.Tree;
import org.ringwire.codec.GeneratedCodecTest.Unit;
import org.ringwire.codec.GeneratedCodecTest.Values;
import org.ringwire.testing.NodeWatcher;

/** The bytes of version 1 of the encoding, which may never change. */
@ExtendWith(NodeWatcher.class)
@SuppressWarnings("NullOptional")
class EncodingFixtureTest {
  private final MessageCatalog catalog = new MessageCatalog();

  private static Map<String, Object> messages() {
    Map<String, Object> messages = new LinkedHashMap<>();
    messages.put(
        "primitives", new Primitives(true, (byte) -2, (short) 3, 'ä', -5, 6L, 7.5f, -8.25));
    messages.put("boxed", new Boxed(null, (byte) 1, null, 'c', -3, null, 5f, null, "text"));
    messages.put(
        "arrays",
        new Arrays1(
            new boolean[] {true, false},
            new byte[] {1, -1},
            null,
            new char[] {'x'},
            new int[] {-2, 3},
            new long[0],
            new float[] {0.5f},
            new double[] {-0.5}));
    messages.put(
        "values",
        new Values(
            Colour.GREEN, new UUID(1, 2), Instant.ofEpochSecond(-3, 4), Duration.ofSeconds(5, 6)));
    messages.put("nested", new Line(new Point(1, -1), null, Colour.RED));
    messages.put("variable", new Named("Grüße, 世界 \ud83d\ude00", new Point(2, 3)));
    messages.put(
        "references",
        new References(
            new String[] {"a", null, ""},
            new Integer[] {1, null},
            new Colour[] {Colour.BLUE, null},
            new Point[] {null, new Point(4, 5)},
            new Named[] {new Named(null, null), null},
            new int[][] {{6}, null, {}},
            null));
    messages.put(
        "collections",
        new Collections1(
            List.of("s"),
            Arrays.asList(7, null),
            List.of(new Point(8, 9)),
            Arrays.asList(null, new Named("n", null)),
            Set.of(Colour.BLUE),
            Set.of("w"),
            Collections.singletonMap("k", null),
            Map.of(new Point(10, 11), List.of("r")),
            List.of(Map.of(12, Set.of(13L)))));
    messages.put(
        "optionals",
        new Optionals(
            Optional.of("t"),
            Optional.empty(),
            Optional.of(new Point(1, 2)),
            null,
            Optional.of(List.of("l")),
            Optional.of(Optional.empty())));
    messages.put("recursive", new Tree(1, null, new Tree(2, null, null)));
    messages.put(
        "sealed",
        new Drawing(
            new Group(List.of(Unit.OTHER), new Circle(1.5)),
            new GeneratedCodecTest.Shape[] {null, new Square(null, 2)}));
    messages.put(
        "empty",
        new Empties(
            new Empty(),
            Arrays.asList(new Empty(), null),
            new Empty[0],
            Collections.singletonMap(new Empty(), null)));
    messages.put("compact", new Compacts(-300, 1L << 40));
    messages.put("generic", new Pairs(new Pair<>("p", null), List.of(new Pair<>(null, null))));
    messages.put(
        "merged",
        new Merged(
            1, 2, (byte) 3, true, (short) 4, '5', 6f, 7, (short) 8, (short) 9, (byte) 10, (byte) 11,
            12f, true, false, true, false, 13, (byte) 14, 15));
    messages.put("enum", Colour.GREEN);
    return messages;
  }

  @Test
  void shouldKeepTheBytesOfVersion1() throws IOException {
    Map<String, String> expected = fixtures();
    StringBuilder actual = new StringBuilder();
    for (Map.Entry<String, Object> entry : messages().entrySet()) {
      Codec<Object> codec = codecOf(entry.getValue());
      String bytes = HexFormat.of().formatHex(Codecs.encode(codec, entry.getValue()));
      String schema = Long.toHexString(typeOf(entry.getValue()).fingerprint());
      actual.append(entry.getKey()).append(' ').append(schema).append(' ').append(bytes);
      actual.append('\n');
    }
    StringBuilder recorded = new StringBuilder();
    expected.forEach((name, rest) -> recorded.append(name).append(' ').append(rest).append('\n'));
    assertThat(actual.toString()).isEqualTo(recorded.toString());
  }

  @Test
  void shouldReadTheBytesOfVersion1() throws IOException {
    Map<String, String> fixtures = fixtures();
    for (Map.Entry<String, Object> entry : messages().entrySet()) {
      String fixture = fixtures.getOrDefault(entry.getKey(), "");
      byte[] bytes = HexFormat.of().parseHex(fixture.substring(fixture.indexOf(' ') + 1));
      assertThat(Codecs.decode(codecOf(entry.getValue()), bytes))
          .as(entry.getKey())
          .usingRecursiveComparison()
          .isEqualTo(entry.getValue());
    }
  }

  private Codec<Object> codecOf(Object message) {
    return typeOf(message).codec();
  }

  @SuppressWarnings("unchecked")
  private MessageType<Object> typeOf(Object message) {
    return (MessageType<Object>) catalog.typeOf(message.getClass());
  }

  private static Map<String, String> fixtures() throws IOException {
    try (InputStream input = EncodingFixtureTest.class.getResourceAsStream("encoding-1.txt")) {
      assertThat(input).isNotNull();
      Map<String, String> fixtures = new LinkedHashMap<>();
      new String(input.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .forEach(line ->
              fixtures.put(
                  line.substring(0, line.indexOf(' ')), line.substring(line.indexOf(' ') + 1)));
      return fixtures;
    }
  }
}
