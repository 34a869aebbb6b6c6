package org.ringwire.engine.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class NodeTableTest {

  private static final int IDS = 65_536;

  @Test
  void shouldListWhatIsInItByRisingId() {
    NodeTable<String> table = new NodeTable<>();
    TreeMap<Integer, String> expected = new TreeMap<>();
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      int id = i < 3 ? IDS - 1 - i : random.nextInt(random.nextBoolean() ? IDS : 20);
      String value = expected.get(id);
      if (value == null) {
        value = "value " + i;
        expected.put(id, value);
        assertThat(table.putIfAbsent(id, value)).isSameAs(value);
      } else if (random.nextBoolean()) {
        expected.remove(id);
        assertThat(table.remove(id, value)).isTrue();
      } else {
        assertThat(table.putIfAbsent(id, "another")).isSameAs(value);
        assertThat(table.remove(id, "another")).isFalse();
      }
      assertThat(table.values()).isEqualTo(List.copyOf(expected.values()));
    }
  }

  @Test
  void shouldKeepTheListWhileNothingChanges() {
    NodeTable<String> table = new NodeTable<>();
    table.putIfAbsent(3, "three");

    List<String> values = table.values();

    assertThat(table.values()).as("timers look at it for ever").isSameAs(values);
  }

  @Test
  void shouldShowEveryChangeThatIsDoneToWhoLooksAfterwards() throws InterruptedException {
    NodeTable<Integer> table = new NodeTable<>();
    List<Thread> threads = new ArrayList<>();
    List<String> missed = Collections.synchronizedList(new ArrayList<>());
    for (int t = 0; t < 3; t++) {
      int own = 300 * t;
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int round = 0; round < 4_000; round++) {
                  Integer value = own + round % 3;
                  table.putIfAbsent(own + round % 3, value);
                  if (!table.values().contains(value)) {
                    missed.add("put " + value + " in round " + round);
                  }
                  table.remove(own + round % 3, value);
                  if (table.values().contains(value)) {
                    missed.add("removed " + value + " in round " + round);
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(missed).isEmpty();
    assertThat(table.values()).isEmpty();
  }
}
