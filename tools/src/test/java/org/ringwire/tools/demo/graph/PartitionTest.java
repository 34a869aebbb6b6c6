package org.ringwire.tools.demo.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class PartitionTest {

  @Test
  void shouldGiveEveryVertexToOneNode() {
    for (int nodes = 1; nodes <= 7; nodes++) {
      for (int vertices = 0; vertices <= 30; vertices++) {
        Spread spread = new Spread(vertices, nodes);
        int total = 0;
        for (int worker = 0; worker < nodes; worker++) {
          for (int place = 0; place < spread.count(worker); place++) {
            int vertex = spread.vertex(worker, place);
            assertThat(vertex).isBetween(0, vertices - 1);
            assertThat(spread.owner(vertex)).isEqualTo(worker);
            assertThat(spread.local(vertex)).isEqualTo(place);
            total++;
          }
        }
        assertThat(total).as("vertices=%d nodes=%d", vertices, nodes).isEqualTo(vertices);
      }
    }
  }

  @Test
  void shouldKeepTheEdgesOfEachPlace() {
    Partition partition = Partition.of(new Spread(5, 2), 0, new int[][] {{1, 2}, {}, {0, 3, 4}});
    assertThat(partition.count()).isEqualTo(3);
    assertThat(partition.edges()).isEqualTo(5);
    assertThat(partition.degree(1)).isZero();
    assertThat(partition.degree(2)).isEqualTo(3);
    assertThat(partition.target(2, 1)).isEqualTo(3);
    assertThat(partition.targets(0)).containsExactly(1, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Partition.of(new Spread(5, 2), 1, new int[3][0]))
        .withMessageContaining("places=3 expected=2");
  }

  @Test
  void shouldLoadPartsThatMakeUpTheWhole() throws InterruptedException, ExecutionException {
    JdkClasses classes = JdkClasses.list(SomeModules.finder("java.xml"));
    PartitionLoader loader = new PartitionLoader(classes, 2);
    AtomicInteger read = new AtomicInteger();
    Partition whole = loader.loadAll(read::addAndGet);
    assertThat(read).hasValue(classes.count());
    assertThat(whole.edges()).isGreaterThan(1_000);
    Spread spread = new Spread(classes.count(), 3);
    for (int worker = 0; worker < 3; worker++) {
      Partition part = loader.load(spread, worker, _ -> {});
      for (int place = 0; place < part.count(); place++) {
        assertThat(part.targets(place)).isEqualTo(whole.targets(spread.vertex(worker, place)));
      }
    }
  }

  @Test
  void shouldReportWhatASliceThrows() {
    try (SlicedWork work = new SlicedWork("test", 2)) {
      AtomicInteger slices = new AtomicInteger();
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(() ->
              work.run(
                  1_000_000,
                  1,
                  (from, _) -> {
                    slices.incrementAndGet();
                    if (from == 10) {
                      throw new IllegalStateException("slice 10");
                    }
                    if (from > 10) { // else others may do all, while that one is descheduled
                      LockSupport.parkNanos(100_000);
                    }
                  }))
          .withMessageContaining("slice 10");
      assertThat(slices.get()).isLessThan(1_000_000);
    }
  }
}
