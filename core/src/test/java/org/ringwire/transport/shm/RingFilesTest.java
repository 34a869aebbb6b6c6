package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Threads;

/** Rings that come where others were, while names are removed. */
@ExtendWith(NodeWatcher.class)
@Timeout(300)
class RingFilesTest {

  private static final boolean NIGHTLY = Boolean.getBoolean("ringwire.nightly");
  private static final int RINGS = 20_000;

  /** On a machine that has more to do than this, fewer rings must do. */
  private static final long ENOUGH_NS = TimeUnit.SECONDS.toNanos(NIGHTLY ? 60 : 3);

  private static final int CAPACITY = 4096;

  @TempDir private Path base;

  @Test
  void shouldFindARingThatTakesThePlaceOfOneWhoseNameIsBeingRemoved() throws Exception {
    try (SharedFolder folder = SharedFolder.open(base)) {
      RingFiles files = new RingFiles(folder);
      AtomicLong nowNs = new AtomicLong();
      AtomicBoolean ended = new AtomicBoolean();
      Threads threads = new Threads();
      Set<Long> addresses = new HashSet<>();
      long endNs = System.nanoTime() + ENOUGH_NS;
      int number = 0;
      threads.start(() -> {
        while (!ended.get()) {
          files.trim(nowNs.addAndGet(RingFiles.KEEP_NS));
        }
      });
      try {
        while (number < RINGS && System.nanoTime() - endNs < 0) {
          addresses.add(shouldFindNext(files, nowNs));
          number++;
        }
      } finally {
        ended.set(true);
        threads.join();
      }
      assumeThat(addresses) // where none is taken again, nothing was tested
          .as("a ring is mapped where another one was")
          .hasSizeLessThan(number);
    }
  }

  /** The address of a ring that was found. */
  private static long shouldFindNext(RingFiles files, AtomicLong nowNs) throws IOException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment ring = files.allocate(arena, CAPACITY);
      long looksNs = nowNs.get() + 2 * RingFiles.KEEP_NS; // a look that had begun before has ended
      while (nowNs.get() < looksNs) {
        Thread.onSpinWait();
      }
      assertThat(files.find(ring)).isNotNull();
      return ring.address();
    }
  }
}
