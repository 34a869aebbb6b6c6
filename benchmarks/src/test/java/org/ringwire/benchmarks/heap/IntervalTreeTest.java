package org.ringwire.benchmarks.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntervalTreeTest {

  private static final int LENGTH = 3;
  private static final int OBJECTS = 20_000;

  private final IntervalTree tree = new IntervalTree();

  @Test
  void shouldMergeWhatLiesSideBySide() {
    for (int i = 0; i < OBJECTS; i++) {
      assertThat(tree.visit((long) i * LENGTH, LENGTH)).isFalse();
    }
    assertThat(tree.intervals()).isEqualTo(1);
    for (int i = 0; i < OBJECTS; i++) {
      assertThat(tree.visit((long) i * LENGTH, LENGTH)).isTrue();
    }
    assertThat(tree.intervals()).isEqualTo(1);
  }

  @Test
  void shouldKeepApartWhatHasGaps() {
    for (int i = 0; i < OBJECTS; i++) {
      assertThat(tree.visit((long) i * (LENGTH + 1), LENGTH)).isFalse();
    }
    assertThat(tree.intervals()).isEqualTo(OBJECTS);
    assertThat(tree.depth()).as("of a balanced tree").isLessThanOrEqualTo(2 * 15);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldFindWhatASetFinds(int seed) {
    Random random = new Random(seed);
    List<Long> addresses = new ArrayList<>();
    for (long i = 0; i < OBJECTS; i++) {
      int times = 1 + (random.nextInt(10) == 0 ? 1 : 0);
      for (int n = 0; n < times; n++) {
        addresses.add(i * LENGTH);
      }
    }
    for (int part = 0; part + 64 < addresses.size(); part += 64) { // runs, and jumps between them
      if (random.nextBoolean()) {
        Collections.swap(addresses, part, random.nextInt(addresses.size()));
      }
    }
    if (seed % 2 == 0) {
      Collections.shuffle(addresses, random);
    }
    for (int round = 0; round < 2; round++) {
      Set<Long> visited = new HashSet<>();
      for (long address : addresses) {
        assertThat(tree.visit(address, LENGTH)).isEqualTo(!visited.add(address));
      }
      assertThat(tree.depth()).isLessThanOrEqualTo(2 * 15);
      tree.clear();
    }
  }
}
