package org.ringwire.infiniband.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.verbs.library.Posix;
import org.ringwire.testing.NodeWatcher;

@Tag("rdma-classes")
@ExtendWith(NodeWatcher.class)
final class EventPollTest {

  private static final int ROUNDS = 10_000;
  private static final long PATIENCE_MS = 60_000;

  @BeforeAll
  static void requireLinux() {
    assumeTrue(Files.exists(Path.of("/proc/self/limits")), "skipped: not Linux");
  }

  @Test
  void shouldRememberAWakeUp() {
    try (EventPoll poll = new EventPoll(List.of(), null)) {
      assertThat(poll.await(0)).isFalse();
      assertThat(poll.await(1)).isFalse();
      poll.wakeup();
      poll.wakeup();
      assertThat(poll.await(-1)).isTrue();
      assertThat(poll.await(0)).isFalse();
      poll.wakeup();
      assertThat(poll.await(PATIENCE_MS)).isTrue();
      assertThat(poll.isAsyncEventReady()).isFalse();
    }
  }

  @Test
  void shouldNotLoseAWakeUpOfAnotherThread() throws InterruptedException {
    AtomicInteger work = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    try (EventPoll poll = new EventPoll(List.of(), null)) {
      Thread producer =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < ROUNDS; i++) {
                  work.incrementAndGet();
                  poll.wakeup();
                  while (i % 8 == 0 && done.get() <= i && !Thread.interrupted()) {
                    Thread.onSpinWait();
                  }
                }
              });
      while (done.get() < ROUNDS) {
        boolean woken = poll.await(PATIENCE_MS);
        done.set(work.get());
        assertThat(woken).as("done %d", done.get()).isTrue();
      }
      producer.join();
    }
  }

  /** As of a device that is gone: the kernel says so in each wait, and nothing can be read. */
  @Test
  void shouldLookNoMoreAtWhatHasFailed() throws Throwable {
    int broken = BrokenPipe.writeEnd();
    try (EventPoll poll = new EventPoll(EventPoll.IGNORED, broken)) {
      assertThat(poll.await(PATIENCE_MS)).isTrue();
      assertThat(poll.isChannelReady(0)).isTrue();
      assertThat(poll.takeFailure()).isTrue();
      assertThat(poll.takeFailure()).isFalse();
      assertThat(poll.await(0)).isFalse();
      poll.wakeup();
      assertThat(poll.await(PATIENCE_MS)).isTrue();
      assertThat(poll.isChannelReady(0)).isFalse();
      assertThat(poll.takeFailure()).isFalse();
    } finally {
      Posix.close(broken);
    }
  }

  @Test
  void shouldIgnoreAWakeUpAfterItsEnd() {
    EventPoll poll = new EventPoll(List.of(), null);
    poll.close();
    poll.close();
    poll.wakeup();
  }
}
