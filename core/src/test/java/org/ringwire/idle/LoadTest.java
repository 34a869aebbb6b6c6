package org.ringwire.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class LoadTest {

  private static final long WINDOW_NS = 1 << 23;
  private static final long BEGIN_NS = 1_000 * WINDOW_NS;

  private double cores = 4;
  private final Load load = new Load(() -> cores, BEGIN_NS);

  @Test
  void shouldLetThreadsSpinWhileThereAreNotMoreThanCores() {
    List<ActiveThread> threads = threads(5);
    long now = BEGIN_NS;
    for (int count = 1; count <= 5; count++) {
      load.note(threads.get(count - 1), now);

      assertThat(load.activeThreads(now)).isEqualTo(count);
      assertThat(load.maySpin(now)).as("%d threads", count).isEqualTo(count <= 4);
    }
  }

  @Test
  void shouldParkWhenThreadsBecomeManyAndSpinAgainWhenTheyAreFew() {
    List<ActiveThread> threads = threads(128);
    for (int window = 0; window < 300; window++) {
      long now = BEGIN_NS + window * WINDOW_NS;
      int active = window / 100 % 2 == 0 ? 3 : 128;
      for (int wait = 0; wait < 3; wait++) { // each thread waits several times in a window
        threads.subList(0, active).forEach(thread -> load.note(thread, now));
      }

      // The window in which they become few still counts those of the one before.
      boolean few = active == 3 && window != 200;
      assertThat(load.maySpin(now)).as("window %d", window).isEqualTo(few);
    }
  }

  @Test
  void shouldForgetWhoWasNotActiveInTheLastWindow() {
    threads(6).forEach(thread -> load.note(thread, BEGIN_NS));

    assertThat(load.activeThreads(BEGIN_NS + WINDOW_NS)).isEqualTo(6);
    assertThat(load.activeThreads(BEGIN_NS + 2 * WINDOW_NS)).isZero();
    assertThat(load.maySpin(BEGIN_NS + 2 * WINDOW_NS)).isTrue();
  }

  /** A thread was displaced between its look at the clock and its count. */
  @Test
  void shouldCountOnWhenAThreadComesLate() {
    threads(6).forEach(thread -> load.note(thread, BEGIN_NS));
    for (int windows = 1; windows < 10; windows++) {
      long lateNs = BEGIN_NS - windows * WINDOW_NS;
      load.note(new ActiveThread(), lateNs);

      assertThat(load.activeThreads(BEGIN_NS)).as("%d windows", windows).isEqualTo(6);
      assertThat(load.activeThreads(lateNs)).isEqualTo(6);
      assertThat(load.maySpin(lateNs)).isFalse();
    }
  }

  @Test
  void shouldCountOnWhenAWindowHasMoreThreadsThanTheWordHolds() {
    threads(70_000).forEach(thread -> load.note(thread, BEGIN_NS));

    assertThat(load.activeThreads(BEGIN_NS)).isEqualTo(65_535);
    assertThat(load.activeThreads(BEGIN_NS + WINDOW_NS)).isEqualTo(65_535);
  }

  @Test
  void shouldNotSpinWithLessThanTwoCores() {
    for (double available : new double[] {0.5, 1, 1.5}) {
      cores = available;
      assertThat(new Load(() -> cores, BEGIN_NS).maySpin(BEGIN_NS)).as("%s", available).isFalse();
    }
    cores = 2;
    assertThat(new Load(() -> cores, BEGIN_NS).maySpin(BEGIN_NS)).isTrue();
  }

  @Test
  void shouldFollowALimitThatChangesLookingOnceASecondWhileThatIsOfUse() {
    int[] reads = {0};
    Load counted =
        new Load(
            () -> {
              reads[0]++;
              return cores;
            },
            BEGIN_NS);
    cores = 0.5;
    long second = 1_000_000_000;

    long now = BEGIN_NS + 2 * second;
    counted.note(new ActiveThread(), now);
    counted.refresh(now);
    assertThat(reads[0]).as("nobody has asked").isEqualTo(1);

    assertThat(counted.maySpin(now)).isTrue();
    counted.refresh(now + 2 * WINDOW_NS);
    assertThat(reads[0]).as("nobody is active").isEqualTo(1);

    for (int look = 0; look < 10; look++) {
      counted.refresh(now + look);
    }
    assertThat(reads[0]).isEqualTo(2);
    assertThat(counted.maySpin(now + 10)).isFalse();

    cores = 2;
    counted.note(new ActiveThread(), now + second);
    counted.refresh(now + second - 1);
    assertThat(counted.cores()).isEqualTo(0.5);
    counted.refresh(now + second);
    assertThat(counted.cores()).isEqualTo(2);
    assertThat(counted.maySpin(now + second)).isTrue();
  }

  @Test
  void shouldStopSpinningForAWhileWhenAThreadThatSpunWasDisplaced() {
    long now = BEGIN_NS;
    load.gap(now, now + Load.GAP_NS - 1);
    assertThat(load.maySpin(now)).isTrue();

    now += Load.GAP_NS;
    load.gap(BEGIN_NS, now);

    assertThat(load.maySpin(now)).isFalse();
    assertThat(load.maySpin(now + Load.CALM_NS - 1)).isFalse();
    assertThat(load.maySpin(now + Load.CALM_NS)).isTrue();
  }

  @Test
  void shouldStopForLongerWhenThreadsAreDisplacedAgainAndAgain() {
    long now = BEGIN_NS;
    long calm = Load.CALM_NS;
    for (int time = 0; time < 20; time++) {
      now += Load.GAP_NS;
      load.gap(now - Load.GAP_NS, now);
      load.gap(now - Load.GAP_NS, now); // another thread, at the same time
      assertThat(load.maySpin(now + calm - 1)).as("time %d", time).isFalse();
      assertThat(load.maySpin(now + calm)).as("time %d", time).isTrue();
      now += calm;
      calm = Math.min(2 * calm, Load.LONGEST_CALM_NS);
    }

    now += 5 * Load.LONGEST_CALM_NS;
    load.gap(now - Load.GAP_NS, now);

    assertThat(load.maySpin(now + Load.CALM_NS - 1)).isFalse();
    assertThat(load.maySpin(now + Load.CALM_NS)).as("it was long ago").isTrue();
  }

  @Test
  void shouldCountEveryThreadOnceHoweverTheyMeet() throws InterruptedException {
    int runners = 4;
    for (int round = 0; round < 200; round++) {
      long now = BEGIN_NS + round * WINDOW_NS;
      List<Thread> running =
          IntStream.range(0, runners)
              .mapToObj(runner ->
                  Thread.ofPlatform()
                      .start(() -> {
                        for (ActiveThread thread : threads(4)) {
                          load.note(thread, now);
                          load.note(thread, now + 1);
                        }
                      }))
              .toList();
      for (Thread thread : running) {
        thread.join();
      }

      assertThat(load.activeThreads(now)).as("round %d", round).isEqualTo(4 * runners);
    }
  }

  private static List<ActiveThread> threads(int count) {
    return Stream.generate(ActiveThread::new).limit(count).toList();
  }
}
