package org.ringwire.infiniband.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class LinkTableTest {

  @Test
  void shouldGiveEachNumberOnceAndTheOneThatCameBackFirstAgain() {
    LinkTable<String> table = new LinkTable<>();
    for (int number = 0; number < LinkTable.MOST; number++) {
      assertThat(table.add(null)).isEqualTo(number);
    }
    assertThat(table.add(null)).isEqualTo(-1);
    table.remove(777);
    table.remove(5);
    assertThat(table.add(null)).isEqualTo(777);
    assertThat(table.add(null)).isEqualTo(5);
    assertThat(table.add(null)).isEqualTo(-1);
  }

  /** A link may end because there is no heap. */
  @Test
  void shouldTakeNumbersBackWithoutHeap() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int links = 10_000;
    LinkTable<String> table = new LinkTable<>();
    for (int number = 0; number < links; number++) {
      assertThat(table.add("a link")).isEqualTo(number);
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int number = 0; number < links; number++) {
      table.remove(number);
    }
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(bytes / links).as("bytes per number").isZero();
    assertThat(table.isEmpty()).isTrue();
  }

  @Test
  void shouldKnowNobodyByNumbersThatWereNotGiven() {
    LinkTable<String> table = new LinkTable<>();
    assertThat(table.get(-1)).isNull();
    assertThat(table.get(LinkTable.MOST)).isNull();
    assertThat(table.get(LinkTable.MOST - 1)).isNull();
  }
}
