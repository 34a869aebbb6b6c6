package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** Who receives, and that somebody always looks at what has come. */
@Tag("rdma-classes")
@ExtendWith(NodeWatcher.class)
class ReceiveRoleTest {

  private static final long PATIENCE_S = 60;

  private final ReceiveRole role = new ReceiveRole();

  @Test
  void shouldBelongToOneThreadAtATime() {
    assertThat(role.tryTake()).isTrue();
    assertThat(role.tryLead()).isFalse();
    role.giveBack();
    assertThat(role.tryLead()).isTrue();
    assertThat(role.tryLead()).isFalse();
    assertThat(role.tryTake()).isFalse();
    assertThat(role.endLead()).isFalse();
    assertThat(role.tryTake()).isTrue();
  }

  @Test
  void shouldNotStandBackWhenLeaderHasGone() {
    assertThat(role.disarm()).isFalse();
    assertThat(role.isDisarmed()).isFalse();
  }

  @Test
  void shouldGoOnAfterATickInWhichNobodyLed() {
    assertThat(role.tryLead()).isTrue();
    assertThat(role.disarm()).isTrue();
    assertThat(role.isDisarmed()).isTrue();
    boolean _ = role.endLead();
    assertThat(role.tryRearm()).isFalse(); // somebody led since
    assertThat(role.tryRearm()).isTrue();
    assertThat(role.isDisarmed()).isFalse();
  }

  @Test
  void shouldDozeWhileOneLeaderStaysAndBeWokenByIt() {
    assertThat(role.tryLead()).isTrue();
    assertThat(role.disarm()).isTrue();
    assertThat(role.tryDoze()).isFalse(); // it may be a short one
    assertThat(role.tryRearm()).isFalse();
    assertThat(role.tryDoze()).isTrue();
    assertThat(role.endLead()).isTrue();
  }

  @Test
  void shouldNotDozeWhileLeadersFollowEachOther() {
    assertThat(role.tryLead()).isTrue();
    assertThat(role.disarm()).isTrue();
    boolean _ = role.endLead();
    assertThat(role.tryLead()).isTrue();
    assertThat(role.tryRearm()).isFalse();
    assertThat(role.tryDoze()).isFalse();
    assertThat(role.endLead()).isFalse();
  }

  /**
   * Leaders come and go, and work arrives. The thread of this test waits as the receive thread
   * does, for a tick or without a limit; what arrives when it waits for events wakes it. All work
   * is done, each piece by one who saw what was done before.
   */
  @Test
  void shouldLeaveNothingUndoneWhileLeadersComeAndGo() throws InterruptedException {
    Station station = new Station(role);
    List<Thread> leaders = new ArrayList<>();
    Thread receiver = Thread.ofPlatform().start(station::receive);
    for (int i = 0; i < 3; i++) {
      leaders.add(Thread.ofPlatform().start(station::leadOften));
    }
    for (Thread leader : leaders) {
      assertThat(leader.join(Duration.ofSeconds(PATIENCE_S))).isTrue();
    }
    station.publish(); // nobody leads any more: the thread has to find it
    assertThat(station.allDone.tryAcquire(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
    station.end();
    assertThat(receiver.join(Duration.ofSeconds(PATIENCE_S))).isTrue();
    assertThat(station.done).isEqualTo(station.published.get());
    assertThat(station.led.get()).isPositive();
  }

  /** A completion queue that rings if it was asked to, the thread, and leaders. */
  private static final class Station {
    private static final int ROUNDS = 20_000;
    private static final int LEADERS = 3;

    final AtomicLong published = new AtomicLong();
    final AtomicLong led = new AtomicLong();
    final Semaphore allDone = new Semaphore(0);
    long done; // who has the role
    private final ReceiveRole role;
    private final AtomicBoolean armed = new AtomicBoolean();
    private final Semaphore bell = new Semaphore(0); // events and wake-ups of the thread
    private volatile boolean ended;

    Station(ReceiveRole role) {
      this.role = role;
    }

    void publish() {
      published.incrementAndGet();
      if (armed.compareAndSet(true, false)) {
        bell.release();
      }
    }

    void end() {
      ended = true;
      bell.release();
    }

    private void work() {
      long all = published.get();
      if (done < all) {
        done = all;
        if (all == (long) ROUNDS * LEADERS + 1) {
          allDone.release();
        }
      }
    }

    /** As {@link ReceiveThread}. */
    void receive() {
      while (!ended) {
        if (!role.tryTake()) {
          standBack();
          continue;
        }
        armed.set(true);
        work();
        role.giveBack();
        bell.acquireUninterruptibly();
        boolean _ = bell.drainPermits() > 0;
      }
    }

    private void standBack() {
      boolean back = !role.disarm();
      while (!back && !ended) {
        back = awaitBell(role.tryDoze()) || role.tryRearm();
      }
      role.rearm();
    }

    private boolean awaitBell(boolean withoutLimit) {
      try {
        return bell.tryAcquire(
            withoutLimit ? 1_000_000 : ReceiveRole.TICK_MS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    /** As a requester: what it publishes it waits for, itself or not. */
    void leadOften() {
      for (int i = 0; i < ROUNDS; i++) {
        publish();
        if (role.tryLead()) {
          led.incrementAndGet();
          work();
          if (role.endLead()) {
            bell.release();
          }
          if (i % 16 == 0 && role.isDisarmed()) {
            bell.release();
          }
        }
      }
    }
  }
}
