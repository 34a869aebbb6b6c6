package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.ringwire.heap.HeapCodecTest.copy;

import java.math.RoundingMode;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Month;
import java.time.Period;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.codec.DecodingException;
import org.ringwire.testing.NodeWatcher;

/** Values of the platform that are more than their usual text, or less. */
@ExtendWith(NodeWatcher.class)
@SuppressWarnings("UnnecessaryStringBuilder") // to be sent, not to be used
class ValuesTest {
  record Plan(Period period, @Nullable Period other) {}

  @Test
  void shouldKnowThePeriodOfNothing() {
    Period some = Period.of(1, -2, 3);
    Plan none = (Plan) Objects.requireNonNull(copy(new Plan(Period.ZERO, some)));
    Period[] periods = {Period.ZERO, some, null, some, Period.of(Integer.MIN_VALUE, 0, 7)};
    Period[] copied = (Period[]) Objects.requireNonNull(copy(periods));

    assertThat(none.period.isZero()).isTrue();
    assertThat(none.period).hasToString("P0D");
    assertThat(none.other).isEqualTo(some);
    assertThat(copied).isEqualTo(periods);
    assertThat(copied[0].isZero()).isTrue();
    assertThat(copied[1]).isSameAs(copied[3]);
    HeapCodec plain = HeapCodec.builder().detectCycles(false).build();
    assertThat((Period[]) plain.decode(plain.encode(periods))).isEqualTo(periods);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "plain", "a\ud83d", "\ude00", "\ud83d\ude00", "\ude00\ud83d\0", "\ufeffx"})
  void shouldCopyEachCharacterOfABuilder(String text) {
    Object copied = copy(new StringBuilder(text));

    assertThat(copied).isInstanceOf(StringBuilder.class).hasToString(text);
  }

  static Stream<Locale> locales() {
    return Stream.of(
        Locale.of("no", "NO", "NY"),
        Locale.of("nn", "NO"),
        Locale.of("ja", "JP", "JP"),
        Locale.of("th", "TH", "TH"),
        Locale.of("en", "US", "Unix"),
        Locale.of("en", "US", "x_y"),
        Locale.of("de", "DE", "EURO"),
        Locale.of("de", "DE", "1"),
        Locale.of("de", "DE", "a_bb_ccc"),
        Locale.of("", "", "POSIX"),
        Locale.of("", "DE"),
        Locale.of("iw"),
        Locale.of("a"),
        Locale.of("english"),
        Locale.of("toolonglanguage"),
        Locale.of("en", "XYZ1"),
        Locale.ROOT,
        Locale.forLanguageTag("zh-Hant-TW-u-ca-roc-nu-latn-x-own"),
        Locale.forLanguageTag("de-DE-1901-1996"),
        Locale.forLanguageTag("x-only-private"),
        new Locale.Builder().setLanguage("sr").setScript("Latn").setRegion("RS").build());
  }

  @ParameterizedTest
  @MethodSource("locales")
  void shouldCopyLocalesThatHaveNoTag(Locale locale) {
    Locale copied = (Locale) Objects.requireNonNull(copy(locale));

    assertThat(copied).isEqualTo(locale);
    assertThat(copied.getVariant()).isEqualTo(locale.getVariant());
    assertThat(copied.getExtensionKeys()).isEqualTo(locale.getExtensionKeys());
  }

  @Test
  void shouldCopyAllLocalesOfThePlatform() {
    List<Locale> all = new ArrayList<>(Arrays.asList(Locale.getAvailableLocales()));

    assertThat(copy(all)).isEqualTo(all);
  }

  static Stream<URI> uris() {
    URI base = URI.create("http://x/a/");
    return Stream.of(
        base.relativize(URI.create("http://x/a/b:c/d")),
        base.relativize(URI.create("http://x/a/b:c/d?q=1#f")),
        base.relativize(URI.create("http://x/a/1:c")),
        base.relativize(URI.create("http://x/a/:c")),
        base.relativize(URI.create("http://x/a//c:d")),
        base.relativize(URI.create("http://x/a/%41:b/..")),
        base.relativize(base),
        base.relativize(URI.create("http://x/a/?q")),
        base.relativize(URI.create("http://x/a/#f")),
        URI.create("x:/").relativize(URI.create("x:///b:c")),
        URI.create("file:/").relativize(URI.create("file:///a:/b")),
        base.resolve("b:c"),
        base.resolve("../../c"),
        URI.create("mailto:a@b"),
        URI.create(""),
        URI.create("//host:1/p"),
        URI.create("http://[::1]:80/\u00e4?\u20ac#x"));
  }

  @ParameterizedTest
  @MethodSource("uris")
  void shouldCopyUrisThatReadAsOthers(URI uri) {
    URI copied = (URI) Objects.requireNonNull(copy(uri));

    assertThat(copied).isEqualTo(uri).hasSameHashCodeAs(uri).hasToString(uri.toString());
    assertThat(copied.getScheme()).isEqualTo(uri.getScheme());
    assertThat(copied.getPath()).isEqualTo(uri.getPath());
    assertThat(copied.getQuery()).isEqualTo(uri.getQuery());
    assertThat(copied.getFragment()).isEqualTo(uri.getFragment());
    assertThat(copied.getSchemeSpecificPart()).isEqualTo(uri.getSchemeSpecificPart());
  }

  /** Each step back looks for what it goes back from among all that were taken before. */
  @ParameterizedTest
  @ValueSource(ints = {1, 500_000})
  void shouldRefuseRelativeUrisThatGoBackAndWouldTakeTooLong(int steps) {
    String there = "b:" + "c/".repeat(steps);
    URI uri =
        URI.create("http://x/").relativize(URI.create("http://x/" + there + "ddd".repeat(steps)));
    byte[] image = HeapCodecTest.CODEC.encode(uri);
    byte[] old = "ddd".repeat(steps).getBytes(StandardCharsets.UTF_16LE);
    byte[] back = "../".repeat(steps).getBytes(StandardCharsets.UTF_16LE);
    System.arraycopy(back, 0, image, image.length - old.length, back.length);

    assertThat(refusalOf(image)).hasMessageContaining("java.net.URI");
  }

  @Test
  void shouldCopyBits() {
    BitSet bits = new BitSet(1000);
    bits.set(3);
    bits.set(70, 200);

    assertThat(copy(bits)).isEqualTo(bits).isInstanceOf(BitSet.class);
    assertThat(copy(new BitSet())).isEqualTo(new BitSet());
    BitSet[] both = (BitSet[]) Objects.requireNonNull(copy(new BitSet[] {bits, null, bits}));
    assertThat(both[0]).isEqualTo(bits).isSameAs(both[2]);
  }

  /** A set that says that it has another number of words makes texts of gigabytes. */
  @Test
  void shouldBelieveNoSetHowManyWordsItHas() {
    BitSet bits = new BitSet();
    bits.set(3);
    byte[] image = HeapCodecTest.CODEC.encode(bits);
    for (int at = 16; at <= image.length - Integer.BYTES; at++) {
      for (int words : new int[] {-0x2000001, -1, 2, Integer.MAX_VALUE}) {
        byte[] changed = image.clone();
        ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putInt(at, words);
        Object decoded;
        try {
          decoded = HeapCodecTest.CODEC.decode(changed);
        } catch (DecodingException e) {
          continue;
        }
        if (decoded instanceof BitSet set) {
          assertThat(BitSet.valueOf(set.toLongArray())).isEqualTo(set);
        }
      }
    }
  }

  @Test
  void shouldRefuseHalfACharacter() {
    byte[] image = HeapCodecTest.CODEC.encode(new StringBuilder("abc"));
    ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN).putInt(17, 5);
    byte[] shorter = Arrays.copyOf(image, image.length - 1);
    Images.setLength(shorter);

    assertThatThrownBy(() -> HeapCodecTest.CODEC.decode(shorter))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("half a character");
  }

  /** Whoever logs an error logs each cause of it, too. */
  @Test
  void shouldSayLittleOfALongTextThatIsNoValue() {
    byte[] resource = HeapCodecTest.CODEC.encode(URI.create("x:" + "a".repeat(100_000)));
    resource[resource.length - 2] = ' ';
    byte[] constant =
        Images.replace(HeapCodecTest.CODEC.encode(TimeUnit.DAYS), "DAYS", "A".repeat(100_000));

    for (byte[] image : List.of(resource, constant)) {
      for (Throwable e = refusalOf(image); e != null; e = e.getCause()) {
        assertThat(String.valueOf(e.getMessage()).length()).isLessThan(2000);
      }
    }
    byte[] brief = HeapCodecTest.CODEC.encode(URI.create("x:abc"));
    brief[brief.length - 2] = ' ';
    assertThat(refusalOf(brief))
        .hasMessageContaining("x:ab")
        .hasCauseInstanceOf(IllegalArgumentException.class);
  }

  private static @Nullable Throwable refusalOf(byte[] image) {
    return catchThrowableOfType(DecodingException.class, () -> HeapCodecTest.CODEC.decode(image));
  }

  static Stream<Enum<?>> constants() {
    return Stream.of(
        DayOfWeek.FRIDAY,
        Month.NOVEMBER,
        ChronoUnit.DAYS,
        ChronoField.HOUR_OF_DAY,
        TimeUnit.SECONDS,
        RoundingMode.HALF_EVEN);
  }

  @ParameterizedTest
  @MethodSource("constants")
  void shouldKnowTheConstantsThatGoWithValues(Enum<?> constant) {
    assertThat(HeapCodec.builder().build().decode(HeapCodecTest.CODEC.encode(constant)))
        .isSameAs(constant);
  }
}
