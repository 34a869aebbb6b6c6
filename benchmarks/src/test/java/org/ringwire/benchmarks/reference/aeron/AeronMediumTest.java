package org.ringwire.benchmarks.reference.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.tools.bench.measure.WarmUp;

final class AeronMediumTest {

  private final Locale before = Locale.getDefault();

  @BeforeEach
  void setUp() {
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab")); // whose digits are others
  }

  @AfterEach
  void tearDown() {
    Locale.setDefault(before);
  }

  @ParameterizedTest
  @EnumSource(AeronMedium.class)
  void shouldOpenPublicationsAlikeWhateverTheLocale(AeronMedium medium) {
    Settings settings =
        new Settings(
            medium.label(),
            Settings.Kind.STREAM,
            64,
            1,
            Settings.Mode.PARK,
            Settings.Pin.NONE,
            1,
            WarmUp.of(1),
            0,
            Settings.MESSAGES_PER_FLUSH);

    assertThat(medium.publication(settings, "127.0.0.1:7400", AeronProgram.DATA))
        .matches(
            "aeron:(ipc\\?|udp\\?endpoint=127\\.0\\.0\\.1:7400\\|)mtu=[0-9]+\\|term-length=[0-9]+");
  }

  /** What others send in one piece over loopback is not cut into eight for Aeron. */
  @ParameterizedTest
  @CsvSource({"2097152, 65504", "1000000, 31232", "212992, 8192"})
  void shouldSendPacketsAsLongAsSocketsHaveRoomFor(int socketBufferLength, int mtu) {
    assertThat(AeronMedium.udpMtu(socketBufferLength)).isEqualTo(mtu);
  }
}
