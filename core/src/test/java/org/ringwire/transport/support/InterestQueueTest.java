package org.ringwire.transport.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Threads;
import org.ringwire.transport.support.InterestQueue.Node;
import org.ringwire.transport.support.InterestQueue.Outcome;

@ExtendWith(NodeWatcher.class)
class InterestQueueTest {

  private final InterestQueue queue = new InterestQueue();

  private static List<Node> list(Node first) {
    List<Node> nodes = new ArrayList<>();
    Node node = first;
    while (node != null) {
      nodes.add(node);
      node = node.unlink();
    }
    return nodes;
  }

  @Test
  void shouldCombineInterestsAndKeepOrderOfArrival() {
    Node a = new Node();
    Node b = new Node();
    assertThat(queue.add(a, 2)).isEqualTo(Outcome.FIRST);
    assertThat(queue.add(b, 4)).isEqualTo(Outcome.QUEUED);
    assertThat(queue.add(a, 8)).isEqualTo(Outcome.QUEUED);
    assertThat(list(queue.takeAll())).containsExactly(a, b);
    assertThat(a.takeInterests()).isEqualTo(10);
    assertThat(b.takeInterests()).isEqualTo(4);
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.takeAll()).isNull();
  }

  @Test
  void shouldAskForWakeUpOncePerBatch() {
    Node a = new Node();
    assertThat(queue.add(a, 1)).isEqualTo(Outcome.FIRST);
    list(queue.takeAll());
    assertThat(queue.add(a, 2)).isEqualTo(Outcome.QUEUED); // its interests were not taken yet
    assertThat(a.takeInterests()).isEqualTo(3);
    assertThat(queue.add(a, 1)).isEqualTo(Outcome.FIRST);
  }

  @Test
  void shouldTellThatItHasEnded() {
    Node a = new Node();
    Node b = new Node();
    queue.add(a, 1);
    assertThat(list(queue.end())).containsExactly(a);
    a.takeInterests();
    assertThat(queue.add(a, 1)).isEqualTo(Outcome.ENDED);
    assertThat(queue.add(b, 1)).isEqualTo(Outcome.ENDED);
  }

  @Test
  void shouldTellEachTimeThatItHasEnded() {
    Node a = new Node();
    queue.end();
    assertThat(queue.add(a, 1)).isEqualTo(Outcome.ENDED);
    assertThat(queue.add(a, 1)).isEqualTo(Outcome.ENDED);
    assertThat(queue.add(a, 2)).isEqualTo(Outcome.ENDED);
  }

  private static final class Counter extends Node {
    private final AtomicInteger[] added = new AtomicInteger[7];
    private final int[] seen = new int[7];

    Counter() {
      for (int i = 0; i < added.length; i++) {
        added[i] = new AtomicInteger();
      }
    }
  }

  /** An interest that was added is taken after it was added, and the consumer is woken for it. */
  @Test
  void shouldLoseNoInterestOfManyProducers() throws Exception {
    Counter[] counters = {new Counter(), new Counter(), new Counter()};
    AtomicInteger wakeUps = new AtomicInteger();
    AtomicInteger running = new AtomicInteger(4);
    Threads threads = new Threads();
    for (int i = 0; i < 4; i++) {
      int bit = i;
      threads.start(() -> {
        for (int n = 0; n < 50_000; n++) {
          Counter counter = counters[n % counters.length];
          counter.added[bit].incrementAndGet();
          if (queue.add(counter, 1 << bit) == Outcome.FIRST) {
            wakeUps.incrementAndGet();
          }
        }
        running.decrementAndGet();
      });
    }
    int batches = 0;
    boolean last = false;
    while (!last) {
      last = running.get() == 0;
      Node node = queue.takeAll();
      batches += node == null ? 0 : 1;
      while (node != null) {
        Node following = node.unlink();
        take((Counter) node);
        node = following;
      }
    }
    threads.join();
    for (Counter counter : counters) {
      for (int bit = 0; bit < 4; bit++) {
        assertThat(counter.seen[bit]).isEqualTo(counter.added[bit].get());
      }
    }
    assertThat(wakeUps.get()).isEqualTo(batches);
  }

  private static void take(Counter counter) {
    int interests = counter.takeInterests();
    for (int bit = 0; bit < 4; bit++) {
      if ((interests & (1 << bit)) != 0) {
        counter.seen[bit] = counter.added[bit].get();
      }
    }
  }
}
