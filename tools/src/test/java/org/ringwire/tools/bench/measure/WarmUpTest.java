package org.ringwire.tools.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.tools.console.CommandException;
import picocli.CommandLine.TypeConversionException;

final class WarmUpTest {

  private final List<Double> parts = new ArrayList<>();

  /** What the compilers took in each part, in milliseconds, and nothing after these. */
  private double run(WarmUp warmUp, long... compiled) {
    long[] sum = {1_000_000}; // from the start of the JVMs on
    return warmUp.run(seconds -> {
      sum[0] += parts.size() < compiled.length ? compiled[parts.size()] : 0;
      parts.add(seconds);
      return sum[0];
    });
  }

  @Test
  void shouldTakeItsTimeWhateverTheCompilersDo() {
    assertThat(run(WarmUp.of(10), 2000, 2000, 2000, 2000, 2000, 2000)).isEqualTo(10);
    assertThat(parts).containsExactly(2.0, 2.0, 2.0, 2.0, 2.0);
  }

  @Test
  void shouldTakeItsTimeEvenIfTheCompilersRestBefore() {
    assertThat(run(new WarmUp(5, 25))).isEqualTo(5);
  }

  @Test
  void shouldGoOnUntilTheCompilersHaveRestedForTwoSeconds() {
    double seconds = run(new WarmUp(5, 25), 900, 900, 900, 900, 900, 900, 45, 150, 45, 49, 800);

    assertThat(seconds).isEqualTo(10); // one second of rest before the eighth is not enough
    assertThat(parts).hasSize(10).containsOnly(1.0);
  }

  @Test
  void shouldNotTakeAThreadThatHasEndedForRest() {
    assertThat(run(new WarmUp(5, 25), 900, 900, 900, 900, 900, -4000, 0, 0)).isEqualTo(8);
  }

  @Test
  void shouldEndAtTheLimitIfTheCompilersNeverRest() {
    long[] compiled = new long[100];
    Arrays.fill(compiled, 500);

    assertThat(run(new WarmUp(4, 9), compiled)).isCloseTo(8.8, within(1e-9));
  }

  @Test
  void shouldNotRunAtAllForNoTime() {
    assertThat(run(WarmUp.of(0))).isZero();
    assertThat(parts).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "8,8.0,8 s",
    "0.5,0.5,0.5 s",
    "5..25,5.0..25.0,'5 to 25 s, until the compilers rest'"
  })
  void shouldReadWhatItWrites(String typed, String written, String text) {
    WarmUp warmUp = new WarmUp.Converter().convert(typed);

    assertThat(warmUp).hasToString(written);
    assertThat(warmUp.text()).isEqualTo(text);
    assertThat(new WarmUp.Converter().convert(written)).isEqualTo(warmUp);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "long", "5..", "..5", "5..6..7", "5-25"})
  void shouldSayWhatItTakes(String typed) {
    assertThatThrownBy(() -> new WarmUp.Converter().convert(typed))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("'" + typed + "' is neither seconds, like 8, nor a range of them, like 5..25");
  }

  @ParameterizedTest
  @CsvSource({
    "0,true",
    "3600,true",
    "3601,false",
    "-1,false",
    "NaN,false",
    "5..25,true",
    "0..25,false",
    "5..3601,false",
    "5..NaN,false",
    "NaN..5,false"
  })
  void shouldKnowWhatCanBeHad(String typed, boolean possible) {
    WarmUp warmUp = new WarmUp.Converter().convert(typed);

    if (possible) {
      warmUp.check("--warmup", 3600);
    } else {
      assertThatThrownBy(() -> warmUp.check("--warmup", 3600))
          .isInstanceOf(CommandException.class)
          .hasMessageStartingWith("--warmup takes a number from ");
    }
  }

  @Test
  void shouldSayThatARangeEndsBeforeItBegins() {
    assertThatThrownBy(() -> new WarmUp.Converter().convert("25..5"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("the range '25..5' ends before it begins");
  }

  @Test
  void shouldBeSoManyTimesAsLong() {
    assertThat(new WarmUp(5, 25).times(3)).isEqualTo(new WarmUp(15, 75));
  }
}
