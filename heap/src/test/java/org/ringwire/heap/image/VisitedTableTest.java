package org.ringwire.heap.image;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.testing.NodeWatcher;

/** Objects are told apart by identity, however their content is hashed. */
@ExtendWith(NodeWatcher.class)
class VisitedTableTest {
  private static final int COUNT = 5000;

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
