package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class SlicePoolTest {

  @Test
  void shouldGiveEachSliceOnceAndSideBySide() {
    SlicePool pool = new SlicePool(16);
    int[] slices = new int[16];
    for (int first = 0; first < 16; first += 8) {
      assertThat(pool.take(slices, first, 8)).isTrue();
    }
    assertThat(slices).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    assertThat(pool.take(slices, 0, 1)).isFalse();
    pool.give(slices, 8, 8);
    pool.give(slices, 0, 8);
    assertThat(pool.take(slices, 0, 8)).isTrue();
    assertThat(slices).startsWith(0, 1, 2, 3, 4, 5, 6, 7);
  }

  @Test
  void shouldTakeNothingIfThereAreTooFew() {
    SlicePool pool = new SlicePool(3);
    int[] slices = new int[4];
    assertThat(pool.take(slices, 0, 4)).isFalse();
    assertThat(pool.available()).isEqualTo(3);
  }

  @Test
  void shouldRefuseSlicesThatAreBackAlready() {
    SlicePool pool = new SlicePool(2);
    assertThatThrownBy(() -> pool.give(new int[] {0}, 0, 1))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldNeverGiveSliceTwice() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    SlicePool pool = new SlicePool(64);
    int[][] requests = new int[20][];
    Set<Integer> out = new HashSet<>();
    for (int round = 0; round < 10_000; round++) {
      int which = random.nextInt(requests.length);
      int[] request = requests[which];
      if (request == null) {
        int[] taken = new int[random.nextInt(1, 9)];
        if (pool.take(taken, 0, taken.length)) {
          for (int slice : taken) {
            assertThat(out.add(slice)).as("seed=%s slice=%s", seed, slice).isTrue();
          }
          requests[which] = taken;
        }
      } else {
        for (int slice : request) {
          out.remove(slice);
        }
        pool.give(request, 0, request.length);
        requests[which] = null;
      }
      assertThat(pool.available()).as("seed=%s", seed).isEqualTo(64 - out.size());
    }
  }
}
