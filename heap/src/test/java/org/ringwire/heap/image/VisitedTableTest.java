package org.ringwire.heap.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.testing.NodeWatcher;

/** Objects are told apart by identity, however their content is hashed. */
@ExtendWith(NodeWatcher.class)
class VisitedTableTest {
  private static final int COUNT = 5000;
  private static final int PLACES = 1 << 11;

  private final VisitedTable table = new VisitedTable();

  private void assertNumbered(Object[] objects, int[] hashes) {
    for (int i = 0; i < objects.length; i++) {
      assertThat(table.visit(objects[i], hashes[i])).isEqualTo(-1);
    }
    for (int i = 0; i < objects.length; i++) {
      assertThat(table.visit(objects[i], hashes[i])).isEqualTo(i);
    }
    assertThat(table.count()).isEqualTo(objects.length);
  }

  private static Object[] objects() {
    Object[] objects = new Object[COUNT];
    for (int i = 0; i < COUNT; i++) {
      objects[i] = new Object();
    }
    return objects;
  }

  @Test
  void shouldNumberObjectsWhateverTheirHashes() {
    int[] hashes = new int[COUNT];
    for (int kind = 0; kind < 4; kind++) {
      for (int i = 0; i < COUNT; i++) {
        hashes[i] =
            switch (kind) {
              case 0 -> 0;
              case 1 -> 77;
              case 2 -> Shape.mix(i);
              default -> i % 3 == 0 ? 0 : i % 5;
            };
      }
      assertNumbered(objects(), hashes);
      table.clear();
    }
  }

  /** What is found at a place of its own needs no identity, which takes ten times as long. */
  @Test
  void shouldFindPlacesForWhatDiffersInAnyBits() {
    for (int shift = 0; shift <= Long.SIZE - 10; shift++) {
      Set<Integer> places = new HashSet<>();
      for (long i = 0; i < 1 << 10; i++) {
        places.add(Shape.mix(i << shift) & PLACES - 1);
      }
      assertThat(places).as("shift=%s", shift).hasSizeGreaterThan(100);
    }
    Set<Integer> places = new HashSet<>();
    for (int i = 0; i < 1 << 10; i++) {
      places.add(Shape.mix(Double.doubleToRawLongBits(i)) & PLACES - 1);
    }
    assertThat(places).hasSizeGreaterThan(400);
  }

  @Test
  void shouldForgetEveryObjectWhenItIsCleared() {
    Object[] objects = objects();
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < 100; i++) {
        assertThat(table.visit(objects[i], Shape.mix(i))).isEqualTo(-1);
      }
      table.clear();
    }
  }
}
