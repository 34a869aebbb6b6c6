package org.ringwire.idle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class CoreOffersTest {

  private static final long NOW = 1L << 40;
  private static final long SOON = 5_000;
  private static final long LATE = 4_000_000;

  private double cores = 1;
  private final CoreOffers offers = new CoreOffers(new Load(() -> cores, NOW));
  private long nowNs = NOW;

  /** One wait with one offer, if that is due; returns whether it was. */
  private boolean offer(long tookNs, boolean found) {
    if (!offers.isDue(nowNs)) {
      return false;
    }
    long beforeNs = nowNs;
    nowNs += tookNs;
    assertThat(offers.made(beforeNs, nowNs)).as("may be made again").isEqualTo(tookNs == SOON);
    offers.ended(found);
    return true;
  }

  private int count(int waits, long tookNs, boolean found) {
    int made = 0;
    for (int i = 0; i < waits; i++) {
      made += offer(tookNs, found) ? 1 : 0;
    }
    return made;
  }

  @Test
  void shouldOfferWhileThatBringsWhatIsWaitedFor() {
    assertThat(count(10_000, SOON, true)).isEqualTo(10_000);
  }

  @Test
  void shouldOfferNothingWithTwoCores() {
    cores = 2;

    assertThat(new CoreOffers(new Load(() -> cores, NOW)).isDue(NOW)).isFalse();
  }

  @Test
  void shouldOfferWithLessThanTwoCores() {
    cores = 1.5;

    assertThat(new CoreOffers(new Load(() -> cores, NOW)).isDue(NOW)).isTrue();
  }

  @Test
  void shouldOfferSeldomWhereItIsInVainAndOftenAgainOnceItIsNot() {
    assertThat(count(10_000, SOON, false)).isBetween(10, 100);

    for (int i = 0; !offer(SOON, true); i++) {
      assertThat(i).as("waits without a trial").isLessThan(256);
    }

    assertThat(count(1_000, SOON, true)).isEqualTo(1_000);
  }

  @Test
  void shouldBearACoreThatComesBackLateNowAndThen() {
    for (int i = 0; i < 100; i++) {
      assertThat(offer(LATE, true)).isTrue();
      assertThat(count(LateReturns.FORGET, SOON, true)).isEqualTo(LateReturns.FORGET);
    }
  }

  @Test
  void shouldKeepTheCoreFromOthersThatWantItAndTryRarely() {
    long endNs = nowNs + 10_000_000_000L;
    long lateNs = 0;
    while (nowNs < endNs) {
      lateNs += offer(LATE, true) ? LATE : 0;
      nowNs += 20_000; // a wait that parks
    }

    assertThat(lateNs).as("of ten seconds").isBetween(100_000_000L, 250_000_000L);
  }

  @Test
  void shouldOfferAgainSoonOnceTheOthersAreGone() {
    while (nowNs < NOW + 10_000_000_000L) {
      offer(LATE, true);
      nowNs += 20_000;
    }
    long goneNs = nowNs;

    while (!offer(SOON, true)) {
      nowNs += 20_000;
    }

    assertThat(nowNs - goneNs).isLessThan(LateReturns.LONGEST_CALM_NS + 100_000);
    assertThat(count(1_000, SOON, true)).isEqualTo(1_000);
    assertThat(offer(LATE, true)).isTrue();
    assertThat(offer(LATE, true)).isTrue();
    assertThat(offers.isDue(nowNs + LateReturns.CALM_NS - 1)).as("calm at first").isFalse();
    assertThat(offers.isDue(nowNs + LateReturns.CALM_NS)).as("no longer than that").isTrue();
  }
}
