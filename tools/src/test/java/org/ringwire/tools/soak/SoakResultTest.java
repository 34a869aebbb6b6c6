package org.ringwire.tools.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SoakResultTest {

  private static SoakResult grown(long heap, long nativeMemory, int threads, int files) {
    return new SoakResult(
        1,
        4,
        true,
        1,
        10,
        10,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        3,
        0,
        0,
        100,
        heap,
        nativeMemory,
        threads,
        files);
  }

  @Test
  void shouldCallGrowthWhatConnectionsDoNotExplain() {
    assertThat(grown(8 << 20, 0, 0, 18).grows()).isFalse();
    assertThat(grown((8 << 20) + 1, 0, 0, 0).grows()).isTrue();
    assertThat(grown(0, 1, 0, 0).grows()).isTrue();
    assertThat(grown(0, 0, 1, 0).grows()).isTrue();
    assertThat(grown(0, 0, 0, 19).grows()).isTrue();
  }

  /** Each kind of what must not be, alone; what was reported, or took long, is accounted for. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, 0, 0, 0, 0, true",
    "5, 0, 0, 0, 0, 0, 0, true",
    "0, 1, 0, 0, 0, 0, 0, false",
    "0, 0, 1, 0, 0, 0, 0, false",
    "0, 0, 0, 1, 0, 0, 0, false",
    "0, 0, 0, 0, 1, 0, 0, false",
    "0, 0, 0, 0, 0, 1, 0, false",
    "0, 0, 0, 0, 0, 0, 1, false"
  })
  void shouldAddUpOnlyIfNothingIsWrong(
      long told,
      long duplicated,
      long unaccounted,
      long outOfOrder,
      long miscounted,
      long damaged,
      long wrongRequests,
      boolean addsUp) {
    SoakResult result =
        new SoakResult(
            1,
            4,
            true,
            1,
            10,
            10,
            told,
            told,
            told,
            duplicated,
            unaccounted,
            outOfOrder,
            miscounted,
            damaged,
            told,
            wrongRequests,
            3,
            0,
            0,
            100,
            0,
            0,
            0,
            0);

    assertThat(result.addsUp()).isEqualTo(addsUp);
  }

  @Test
  void shouldBeWrittenAlikeWhateverTheLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      SoakResult result =
          new SoakResult(
              1, 4, true, 1, 10, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 123_456, 0, 0, 0, 0);

      assertThat(SoakCommand.forPeople(result))
          .contains("3 kills, 0 restarts, 0 stalls, 123,456 dismissals, seed 1");
      assertThat(SoakRun.soFar(0.11, 0.25)).isEqualTo("0.1 of 0.3 min");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void shouldNotSayThatItRunsPastItsEnd() {
    assertThat(SoakRun.soFar(2.4, 2)).isEqualTo("2.0 of 2.0 min");
  }
}
