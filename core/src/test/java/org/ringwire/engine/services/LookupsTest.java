package org.ringwire.engine.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** What becomes of links to open when a name server keeps all threads. */
@ExtendWith(NodeWatcher.class)
class LookupsTest {

  private static ThreadPoolExecutor one() {
    return new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(1));
  }

  @Test
  void shouldKeepThreadsForThoseThatReadWhateverCallersAskFor() throws InterruptedException {
    Lookups lookups = new Lookups(one(), one());
    CountDownLatch answer = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(4);
    Runnable opening =
        () -> {
          try {
            answer.await();
            done.countDown();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    assertThat(lookups.tryLeave(opening)).isTrue();
    assertThat(lookups.tryLeave(opening)).isTrue();
    assertThat(lookups.tryLeave(opening)).isFalse();
    lookups.leave(opening);
    lookups.leave(opening);
    assertThatThrownBy(() -> lookups.leave(opening)).isInstanceOf(RejectedExecutionException.class);
    lookups.shutdown();
    answer.countDown();
    lookups.awaitEnd(System.nanoTime() + TimeUnit.SECONDS.toNanos(30));
    assertThat(done.getCount()).isZero();
  }
}
