package org.ringwire.tools.demo.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.ringwire.tools.demo.worker.SearchState.UNREACHED;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.ringwire.tools.demo.graph.Partition;
import org.ringwire.tools.demo.graph.Spread;
import org.ringwire.tools.demo.worker.CompensatedSums;

class SingleProcessRunTest {

  // 0 -> 1, 2; 1 -> 2, 3; 2 -> 0; 3 dangles; 4 -> 3 is not reached from 0.
  private static final Partition GRAPH = graph(new int[][] {{1, 2}, {2, 3}, {0}, {}, {3}});

  @Test
  void shouldFindLevels() {
    assertThat(SingleProcessRun.levels(GRAPH, 0)).containsExactly(0, 1, 1, 2, UNREACHED);
    assertThat(SingleProcessRun.levels(GRAPH, 3))
        .containsExactly(UNREACHED, UNREACHED, UNREACHED, 0, UNREACHED);
    assertThat(SingleProcessRun.levels(GRAPH, 4))
        .containsExactly(UNREACHED, UNREACHED, UNREACHED, 1, 0);
  }

  @Test
  void shouldComputeOneRoundByHand() {
    // Every rank is 1/5. The dangling fifth gives 1/25 to each.
    double base = 0.15 / 5 + 0.85 / 25;
    assertThat(SingleProcessRun.ranks(GRAPH, 1))
        .containsExactly(
            new double[] {
              base + 0.85 * (1.0 / 5),
              base + 0.85 * (1.0 / 10),
              base + 0.85 * (1.0 / 10 + 1.0 / 10),
              base + 0.85 * (1.0 / 10 + 1.0 / 5),
              base
            },
            within(1e-15));
  }

  @Test
  void shouldComputeTwoRoundsWithADanglingVertexByHand() {
    // 0 -> 1, 1 dangles. Round 1: (0.2875, 0.7125). Round 2 from these.
    double first = 0.075 + 0.85 * (0.7125 / 2);
    assertThat(SingleProcessRun.ranks(graph(new int[][] {{1}, {}}), 2))
        .containsExactly(new double[] {first, first + 0.85 * 0.2875}, within(1e-15));
  }

  @Test
  void shouldConvergeToTheUniformRankOfACycle() {
    assertThat(SingleProcessRun.ranks(graph(new int[][] {{1}, {2}, {0}}), 50))
        .containsExactly(new double[] {1 / 3.0, 1 / 3.0, 1 / 3.0}, within(1e-15));
  }

  @Test
  void shouldKeepTheSumOfRanks() {
    double sum = Arrays.stream(SingleProcessRun.ranks(GRAPH, 20)).sum();
    assertThat(sum).isEqualTo(1, within(1e-14));
  }

  @Test
  void shouldCountEdgesThatCross() {
    // On two nodes, 0 2 4 | 1 3: of seven edges 0->1, 1->2, 4->3 cross, and 4 is not reached.
    SingleProcessRun run = SingleProcessRun.of(GRAPH, new Spread(5, 2), 0, 3);
    assertThat(run.roundMessages()).isEqualTo(3);
    assertThat(run.searchMessages()).isEqualTo(2);
    assertThat(run.levels()).containsExactly(0, 1, 1, 2, UNREACHED);
    assertThat(run.ranks()).isEqualTo(SingleProcessRun.ranks(GRAPH, 3));
    SingleProcessRun alone = SingleProcessRun.of(GRAPH, new Spread(5, 1), 0, 3);
    assertThat(alone.roundMessages()).isZero();
    assertThat(alone.searchMessages()).isZero();
  }

  @Test
  void shouldNotLoseSmallAddends() {
    CompensatedSums sums = new CompensatedSums(2);
    sums.add(1, 1e16);
    for (int i = 0; i < 1000; i++) {
      sums.add(1, 1);
    }
    sums.add(1, -1e16);
    assertThat(sums.sum(1)).isEqualTo(1000);
    assertThat(sums.sum(0)).isZero();
  }

  static Partition graph(int[][] targets) {
    return Partition.of(new Spread(targets.length, 1), 0, targets);
  }
}
