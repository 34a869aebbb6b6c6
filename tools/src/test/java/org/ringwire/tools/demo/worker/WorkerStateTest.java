package org.ringwire.tools.demo.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;
import static org.ringwire.tools.demo.worker.SearchState.UNREACHED;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.ringwire.tools.demo.graph.SlicedWork;

class WorkerStateTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Test
  void shouldMakeWhatWasFoundTheFrontier() {
    SearchState search = new SearchState(4);
    search.visit(2, 0);
    search.visit(2, 0);
    assertThat(search.settle()).isEqualTo(1);
    assertThat(search.frontier()).containsExactly(2);
    search.visit(0, 1);
    search.visit(3, 1);
    search.visit(2, 1);
    assertThat(search.settle()).isEqualTo(2);
    assertThat(search.frontier()).containsExactly(0, 3);
    assertThat(search.settle()).isZero();
    assertThat(search.levels()).containsExactly(1, UNREACHED, 0, 1);
  }

  @Test
  void shouldFindEachPlaceOnceWhenManyThreadsVisit()
      throws InterruptedException, ExecutionException {
    int places = 1000;
    SearchState search = new SearchState(places);
    try (SlicedWork work = new SlicedWork("visitor", 4)) {
      work.run(100 * places, 50, (from, to) -> visitAll(search, places, from, to));
    }
    assertThat(search.settle()).isEqualTo(places);
    assertThat(search.frontier()).doesNotHaveDuplicates().hasSize(places);
  }

  private static void visitAll(SearchState search, int places, int from, int to) {
    for (int i = from; i < to; i++) {
      search.visit(i % places, 1);
    }
  }

  @Test
  void shouldComputeRanksFromShares() {
    RankState ranks = new RankState(2, 5);
    ranks.add(0, 0.1);
    ranks.add(0, 0.2);
    double rank = 0.15 / 5 + 0.85 * (0.1 + 0.2 + 0.2 / 5);
    double rest = 0.15 / 5 + 0.85 * (0.2 / 5);
    ranks.settle(0.2);
    assertThat(ranks.ranks()).containsExactly(new double[] {rank, rest}, within(1e-15));
    ranks.settle(0);
    assertThat(ranks.rank(0)).as("shares count for one round").isEqualTo(0.15 / 5, within(1e-15));
  }

  @Test
  void shouldLoseNoShareWhenManyThreadsAdd() throws InterruptedException, ExecutionException {
    RankState ranks = new RankState(1, 1);
    try (SlicedWork work = new SlicedWork("adder", 4)) {
      work.run(100_000, 100, (from, to) -> addAll(ranks, from, to));
    }
    ranks.settle(0);
    assertThat(ranks.rank(0)).isEqualTo(0.15 + 0.85 * 100_000);
  }

  private static void addAll(RankState ranks, int from, int to) {
    for (int i = from; i < to; i++) {
      ranks.add(0, 1);
    }
  }

  @Test
  void shouldWaitUntilAllArrived() throws Exception {
    Arrivals arrivals = new Arrivals();
    arrivals.await(0, LIMIT);
    for (int round = 1; round <= 200; round++) {
      long total = round * 100L;
      CompletableFuture<Void> counting =
          CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 100; i++) {
              arrivals.count();
            }
          });
      arrivals.await(total, LIMIT);
      assertThat(arrivals.handled()).isEqualTo(total);
      counting.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
  }

  @Test
  void shouldSayWhatDidNotArrive() {
    Arrivals arrivals = new Arrivals();
    arrivals.count();
    assertThatExceptionOfType(TimeoutException.class)
        .isThrownBy(() -> arrivals.await(2, Duration.ofMillis(20)))
        .withMessage("handled 1 of 2 messages");
  }
}
