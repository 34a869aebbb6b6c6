package org.ringwire.benchmarks.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.benchmarks.Outcome;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.JsonLine;

/** What can be tested of the comparison with perftest where there is no device. */
class VerbsTest {

  private static final Cell STREAM = new Cell(false, 64, 2, 4);
  private static final Cell TRIPS = new Cell(true, 1000, 1, 1);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --rounds 0 | --rounds takes a number from 1 to 1000, not 0
          --sizes 64,-1 | --sizes takes a number from 0 to 67108864, not -1
          --directions 3 | --directions takes a number from 1 to 2, not 3
          --warmup -0.5 | --warmup takes a number from 0 to 3600, not -0.5
          --port 0 | --port takes a number from 1 to 255, not 0
          --engine= | "--engine takes msgrc|msgud, not ''"
          --mode fast | "--mode takes adaptive|spin|park, not fast"
          """)
  void shouldNameTheOptionThatIsWrong(String words, String message) throws Exception {
    Outcome outcome = Outcome.of(VerbsMain.class, words);

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.errors().lines()).containsExactly("ringwire bench verbs: " + message);
  }

  @Test
  void shouldReadWhatPerftestPrints() {
    List<String> lines =
        List.of(
            " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]",
            " 64         2000             2.13               0.86   \t\t   0.014143",
            "-----");
    assertThat(Perftest.number(lines, 64, 4)).isEqualTo(0.014143);
    assertThatThrownBy(() -> Perftest.number(lines, 65, 4))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("no result");
  }

  @Test
  void shouldSendDatagramsUpToTheMtuThatPerftestTells() {
    List<String> lines = List.of(" TX depth        : 1", " Mtu             : 4096[B]", "---");
    Perftest perftest = new Perftest("rxe0", 1, 1, Perftest.mtu(lines));
    assertThat(perftest.sendsDatagrams(4096)).isTrue();
    assertThat(perftest.sendsDatagrams(4097)).isFalse();
    assertThat(new Perftest("rxe0", 1, 1, 0).sendsDatagrams(1)).isFalse();
    assertThatThrownBy(() -> Perftest.mtu(List.of("---"))).hasMessageContaining("no MTU");
  }

  /** Over TCP, whose calls nobody counts. */
  @Test
  void shouldMeasureBothWaysAndRoundTrips() {
    List<String> options = List.of("-XX:+UseSerialGC", "-Xmx256m");
    try (Pair pair = Pair.start("tcp", "adaptive", options)) {
      Pair.Result stream = pair.stream(STREAM, 0.2);
      Pair.Result trips = pair.echo(TRIPS, 0.2);
      assertThat(stream.messages()).isPositive();
      assertThat(stream.perSecond()).isPositive();
      assertThat(Objects.requireNonNull(trips.micros()).p50()).isPositive();
      pair.checkBytes(true);
    }
  }

  /** A byte that went another way than over a queue pair shows. */
  @Test
  void shouldNoticeBytesThatTookAnotherWay() {
    Map<String, Long> verbs = Map.of("sendBytes", 100L, "receivedBytes", 50L);
    assertThat(new Peer.Counters(verbs, 100, 50).addUp(true)).isTrue();
    assertThat(new Peer.Counters(verbs, 101, 50).addUp(true)).isFalse();
    assertThat(new Peer.Counters(verbs, 100, 51).addUp(true)).isFalse();
    assertThat(new Peer.Counters(verbs, 99, 49).addUp(true)).isFalse();
    assertThat(new Peer.Counters(verbs, 99, 49).addUp(false)).isTrue();
    assertThat(new Peer.Counters(verbs, 101, 50).addUp(false)).isFalse();
    assertThat(new Peer.Counters(verbs, 100, 51).addUp(false)).isFalse();
    assertThat(new Peer.Counters(Map.of(), 100, 50).addUp(true)).isTrue();
  }

  @Test
  void shouldFormRatiosWithinRounds() throws IOException {
    CellOutcome outcome = new CellOutcome(STREAM, "msgud", true);
    Verbs verbs = new Verbs(30, 10, 20, 15, 5, 2000);
    for (double[] round : new double[][] {{100, 10}, {300, 100}, {120, 20}}) {
      outcome.add(
          new VerbsMain.Figures(round[0], round[0]),
          new VerbsMain.Figures(round[1], round[1]),
          new Pair.Result(10, round[0], null, verbs));
    }
    CellOutcome.Line line = outcome.line();
    assertThat(line.ratio()).isEqualTo(new CellOutcome.Spread(6, 3, 10));
    assertThat(line.ringwire()).isEqualTo(new CellOutcome.Spread(120, 100, 300));
    assertThat(line.callsPerMessage()).isEqualTo(3);
    assertThat(line.callsPerKilobyte()).isEqualTo(15);
    assertThat(new Outcome(0, JsonLine.of(line), "").json("bench-verbs").get("size").asInt())
        .isEqualTo(64);
    assertThat(Report.of(List.of(line)))
        .contains(
            "| 64 B, both ways, 4 thread(s) | 120 (100 to 300) /s | 20.0 (10.0 to 100) /s, UD |");
  }
}
