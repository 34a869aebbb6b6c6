package org.ringwire.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class WaitingPlaceTest {

  private static final long NOW = 1L << 40;

  private double cores = 2;
  private final Load load = new Load(() -> cores, NOW);
  private final ActiveThread thread = new ActiveThread();

  private WaitingPlace place(IdleStrategy strategy) {
    return new WaitingPlace(strategy, load);
  }

  @Test
  void shouldObeyAFixedTimeWhateverTheLoad() {
    WaitingPlace never = place(IdleStrategy.parking());
    WaitingPlace always = place(new IdleStrategy(123));
    for (int other = 0; other < 100; other++) {
      load.note(new ActiveThread(), NOW);
    }
    for (int wait = 0; wait < 100; wait++) {
      assertThat(never.begin(thread, NOW)).isZero();
      assertThat(always.begin(thread, NOW)).isEqualTo(123);
      always.failed();
    }
    assertThat(always.mayGoOn(NOW)).isTrue();
    assertThat(load.activeThreads(NOW)).as("who has decided does not count").isEqualTo(100);
  }

  @Test
  void shouldSpinWhileThereAreCoresAndParkWhileThereAreNot() {
    WaitingPlace place = place(IdleStrategy.adaptive());

    assertThat(place.begin(thread, NOW)).isEqualTo(IdleStrategy.adaptive().spinNs());
    assertThat(place.begin(new ActiveThread(), NOW)).isPositive();
    assertThat(place.mayGoOn(NOW)).isTrue();
    assertThat(place.begin(new ActiveThread(), NOW)).as("a third one, on two cores").isZero();
    assertThat(place.mayGoOn(NOW)).isFalse();

    long later = NOW + 2 * (1 << 23);
    assertThat(place.begin(thread, later)).as("alone again").isPositive();
  }

  @Test
  void shouldSpinSeldomWhereItIsInVain() {
    WaitingPlace place = place(IdleStrategy.adaptive());
    int spun = 0;
    for (int wait = 0; wait < 10_000; wait++) {
      if (place.begin(thread, NOW) > 0) {
        spun++;
        place.failed();
      }
    }

    assertThat(spun).isBetween(10, 100);
  }

  @Test
  void shouldSpinAgainOnceItHasPaidOff() {
    WaitingPlace place = place(IdleStrategy.adaptive());
    for (int wait = 0; wait < 10_000; wait++) {
      if (place.begin(thread, NOW) > 0) {
        place.failed();
      }
    }
    int parked = 0;
    while (place.begin(thread, NOW) == 0) {
      parked++;
    }
    assertThat(parked).as("it tries now and then").isLessThanOrEqualTo(256);

    place.succeeded();

    for (int wait = 0; wait < 100; wait++) {
      assertThat(place.begin(thread, NOW)).isPositive();
      place.succeeded();
    }
  }

  @Test
  void shouldNotTakeAFewLongWaitsForTheRule() {
    WaitingPlace place = place(IdleStrategy.adaptive());
    for (int wait = 0; wait < 1_000; wait++) {
      assertThat(place.begin(thread, NOW)).isPositive();
      if (wait % 4 == 3) {
        place.succeeded();
      } else {
        place.failed();
      }
    }
  }

  @Test
  void shouldOfferTheOnlyCoreAFewTimesWhateverTheStrategy() {
    cores = 1;
    for (IdleStrategy strategy :
        List.of(IdleStrategy.parking(), IdleStrategy.adaptive(), new IdleStrategy(123))) {
      WaitingPlace place = new WaitingPlace(strategy, new Load(() -> cores, NOW));

      assertThat(place.mayDelay()).isTrue();
      assertThat(place.mayOffer(NOW)).isTrue();
      assertThat(place.offer(CoreOffers.MOST - 1)).as("enough for one wait").isFalse();
    }
  }

  @Test
  void shouldParkAtOnceWhereItShouldAndThereAreCores() {
    WaitingPlace place = place(IdleStrategy.parking());

    assertThat(place.mayDelay()).isFalse();
    assertThat(place.mayOffer(NOW)).isFalse();
  }

  @Test
  void shouldOfferRarelyWhatNobodyMakesUseOf() {
    cores = 1;
    WaitingPlace place = new WaitingPlace(IdleStrategy.parking(), new Load(() -> cores, NOW));
    int offered = 0;
    for (int wait = 0; wait < 10_000; wait++) {
      if (place.mayOffer(NOW)) {
        offered++;
        place.offered(false);
      }
    }

    assertThat(offered).isBetween(10, 100);
  }
}
