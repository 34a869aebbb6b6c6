package org.ringwire.infiniband.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.infiniband.verbs.types.Mtu;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class ExchangeFormatTest {

  private static final Terms TERMS =
      new Terms(
          0x123456,
          0xfedcba,
          0xabcd,
          Gid.parse("::ffff:10.99.0.1"),
          Mtu.MTU_4096,
          0xf00d,
          65536,
          7);

  private static List<Exchange> read(byte[] bytes, int piece) throws IOException {
    ExchangeReader reader = new ExchangeReader();
    List<Exchange> messages = new ArrayList<>();
    MemorySegment memory = MemorySegment.ofArray(bytes);
    for (int at = 0; at < bytes.length; at += piece) {
      reader.read(memory, at, Math.min(piece, bytes.length - at), messages::add);
    }
    return messages;
  }

  private static byte[] concat(byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    byte[] all = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  @Test
  void shouldReadWhatWasWrittenInPiecesOfAnyLength() throws IOException {
    List<Exchange> messages =
        List.of(
            new Exchange.Offer(TERMS),
            new Exchange.Refusal(""),
            new Exchange.Answer(TERMS),
            new Exchange.Refusal("no queue pair: \u00fc\u2713"));
    byte[] bytes = concat(messages.stream().map(ExchangeFormat::encode).toArray(byte[][]::new));
    for (int piece = 1; piece <= bytes.length; piece++) {
      assertThat(read(bytes, piece)).isEqualTo(messages);
    }
  }

  /** The format is a promise to other versions. */
  @Test
  void shouldKeepFormat() {
    assertThat(HexFormat.of().formatHex(ExchangeFormat.encode(new Exchange.Offer(TERMS))))
        .isEqualTo(
            "5257494201012800"
                + "56341200badcfe00cdab0501"
                + "00000000000000000000ffff0a630001"
                + "0df000000000010007000000");
  }

  @Test
  void shouldKeepFormatOfDatagrams() throws IOException {
    DatagramTerms datagrams = new DatagramTerms(0x7abbccdd, 0x0102030405060708L);
    Terms terms =
        new Terms(5, 6, 7, Gid.parse("::ffff:10.99.0.1"), Mtu.MTU_1024, 8, 1024, 9, datagrams);
    byte[] bytes = ExchangeFormat.encode(new Exchange.Offer(terms));
    assertThat(HexFormat.of().formatHex(bytes, 8 + 11, 8 + 12)).isEqualTo("02");
    assertThat(HexFormat.of().formatHex(bytes, 8 + 40, bytes.length))
        .isEqualTo("ddccbb7a" + "0807060504030201");
    assertThat(read(bytes, 7)).containsExactly(new Exchange.Offer(terms));
    assertThat(terms.toString()).as("secrets").doesNotContain("72623859790382856");
    bytes[8 + 43] = (byte) 0x80;
    assertThatThrownBy(() -> read(bytes, 7)).hasMessageContaining("queueKey");
  }

  @Test
  void shouldSkipWhatLaterVersionAppends() throws IOException {
    byte[] bytes = ExchangeFormat.encode(new Exchange.Answer(TERMS));
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 9);
    longer[6] = (byte) (longer[6] + 9);
    assertThat(read(longer, 5)).containsExactly(new Exchange.Answer(TERMS));
  }

  @Test
  void shouldCutLongRefusal() throws IOException {
    byte[] bytes = ExchangeFormat.encode(new Exchange.Refusal("x".repeat(100_000)));
    assertThat(bytes).hasSize(ExchangeFormat.HEAD_LENGTH + ExchangeFormat.LONGEST_BODY);
    assertThat(read(bytes, 100))
        .containsExactly(new Exchange.Refusal("x".repeat(ExchangeFormat.LONGEST_BODY)));
  }

  /** A peer that nobody knows yet writes no lines of a log, and moves nobody's cursor. */
  @Test
  void shouldReadRefusalOnOneLine() throws IOException {
    byte[] bytes = ExchangeFormat.encode(new Exchange.Refusal("a\n\u001b[2J\u009b\u00fc"));
    assertThat(read(bytes, 3)).containsExactly(new Exchange.Refusal("a..[2J.\u00fc"));
  }

  private static void assertRefused(int index, int value, String why) {
    byte[] bytes = ExchangeFormat.encode(new Exchange.Offer(TERMS));
    bytes[index] = (byte) value;
    assertThatThrownBy(() -> read(bytes, bytes.length))
        .isInstanceOf(ExchangeException.class)
        .hasMessageContaining(why);
  }

  @Test
  void shouldRefuseWhatBreaksRule() {
    assertRefused(0, 'G', "does not speak");
    assertRefused(4, 2, "version=2");
    assertRefused(5, 9, "kind=9");
    assertRefused(7, 5, "too long");
    assertRefused(6, 39, "cut short");
    assertRefused(8 + 3, 1, "queuePair");
    assertRefused(8 + 7, 1, "packetNumber");
    assertRefused(8 + 10, 0, "terms out of range");
    assertRefused(8 + 11, 3, "engine=3");
    assertRefused(8 + 11, 2, "cut short");
    assertRefused(8 + 35, 0x7f, "receiveLength");
    assertRefused(8 + 34, 0, "receiveLength");
  }

  /** Whatever comes, it ends in messages or in the one exception, and in bounded memory. */
  @Test
  void shouldSurviveAnything() throws IOException {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    byte[] valid = ExchangeFormat.encode(new Exchange.Offer(TERMS));
    int refused = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = valid.clone();
      if (round % 4 == 0) {
        bytes = new byte[random.nextInt(1, 200)];
        random.nextBytes(bytes);
      } else {
        for (int i = random.nextInt(1, 4); i > 0; i--) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
      }
      try {
        assertThat(read(bytes, random.nextInt(1, 50)).size()).as("seed=%s", seed).isLessThan(2);
      } catch (ExchangeException e) {
        refused++;
      }
    }
    assertThat(refused).as("seed=%s", seed).isBetween(1, 19_999);
  }
}
