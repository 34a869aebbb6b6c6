package org.ringwire.tools.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is connected to whom when a soak rests. */
final class SoakSpecTest {

  private static Set<Integer> restingPeers(int node, int nodes, int maxConnections) {
    return new SoakSpec(node, 0, nodes, 1, maxConnections, 1, 1, 1, "", "", "").restingPeers();
  }

  @Test
  void shouldRestWithAllOthersWhereThereIsRoom() {
    assertThat(restingPeers(2, 4, 3)).containsExactlyInAnyOrder(1, 3, 4);
    assertThat(restingPeers(2, 2, 1)).containsExactlyInAnyOrder(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 6, 7, 32})
  void shouldRestWithWhatLeavesNobodyRoomForMore(int nodes) {
    int most = nodes - 2;
    long full =
        IntStream.rangeClosed(1, nodes)
            .filter(node -> {
              Set<Integer> peers = restingPeers(node, nodes, most);
              assertThat(peers).allMatch(peer -> restingPeers(peer, nodes, most).contains(node));
              assertThat(peers.size()).isLessThanOrEqualTo(most);
              return peers.size() == most;
            })
            .count();
    assertThat(full).as("an odd one cannot be full").isEqualTo(nodes - nodes % 2);
  }
}
