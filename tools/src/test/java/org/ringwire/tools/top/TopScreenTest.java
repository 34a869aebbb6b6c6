package org.ringwire.tools.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people see. */
final class TopScreenTest {

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "7.4,7",
    "999,999",
    "999.6,1.0k",
    "1234,1.2k",
    "123456,123k",
    "2.5e9,2.5G",
    "999999,1.0M",
    "1e15,1000T"
  })
  void shouldRoundToWhatIsReadAtAGlance(double value, String text) {
    assertThat(TopScreen.number(value)).isEqualTo(text);
  }

  @Test
  void shouldShowTheBusiestPeersAndTheSlowestHandlers() {
    List<TopResult.Peer> peers = new ArrayList<>();
    for (int id = 1; id <= 5; id++) {
      peers.add(new TopResult.Peer(id, 1e6, 10, 2e9, 5, 0.97, 0.1, 3, 44, 40));
    }
    TopResult result =
        new TopResult(
            7,
            3725.4,
            1,
            5,
            5e6,
            50,
            50,
            1e10,
            25,
            2.5,
            220,
            4,
            4,
            1,
            12,
            3,
            2,
            5,
            6,
            1,
            1 << 20,
            50_000_000L,
            peers,
            List.of(new TopResult.Slow("app.Order", 4, 1500.26, 150)));
    List<String> lines = TopScreen.of("here:1", result, 2);
    assertThat(lines.getFirst())
        .isEqualTo("node 7 (here:1)   up 1:02:05   5 connections, 2 lost, 1 frames rejected");
    assertThat(lines)
        .contains("     1      1.0M        10      2.0G         5     97%    10%        3       44")
        .contains("ended       with connections: 5 messages lost, 6 uncertain")
        .contains("       and 3 more")
        .contains("        4      1500.3       150.0  app.Order")
        .allMatch(line -> line.length() <= 100);
    assertThat(lines.stream().filter(line -> line.contains("97%"))).hasSize(2);
  }
}
