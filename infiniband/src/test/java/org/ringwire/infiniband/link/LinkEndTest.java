package org.ringwire.infiniband.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.link.LinkData.Farewell;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/** The steps in which links end, and that nothing keeps one from ending. */
class LinkEndTest {

  private final Duration connectTimeout = Duration.ofSeconds(1);
  private final Transport medium =
      SetUpMedium.open(
          new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, connectTimeout, "test", null));
  private final LinkRegister<EndingLink> register =
      new LinkRegister<>(medium, (_, _, _) -> newLink(), _ -> {});
  private final EndingLink link = newLink();
  private final long nowNs = System.nanoTime();

  private EndingLink newLink() {
    return new EndingLink(register, connectTimeout);
  }

  @AfterEach
  void close() {
    medium.close();
  }

  @Test
  void shouldDeliverWhatWasWrittenBeforeFarewell() {
    link.end.proceed(nowNs);
    assertThat(link.calls).isEmpty();
    link.drained = true;
    link.end.proceed(nowNs);
    assertThat(link.calls).containsExactly("tell", "farewell SAID");
    link.drained = false; // the farewell is on its way
    link.end.proceed(nowNs);
    assertThat(link.end.isOver()).isFalse();
    link.drained = true;
    link.end.proceed(nowNs);
    assertThat(link.calls).containsExactly("tell", "farewell SAID", "release");
    assertThat(link.end.isOver()).isTrue();
  }

  @Test
  void shouldSayFarewellAgainWhenThereWasNoRoom() {
    link.drained = true;
    link.farewell = Farewell.LATER;
    link.end.proceed(nowNs);
    link.farewell = Farewell.SAID;
    link.end.proceed(nowNs);
    link.end.proceed(nowNs);
    assertThat(link.calls).containsExactly("tell", "farewell LATER", "farewell SAID", "release");
  }

  @Test
  void shouldStopWhenFarewellCannotBeSaid() {
    link.drained = true;
    link.givenBack = true;
    link.farewell = Farewell.IMPOSSIBLE;
    link.end.proceed(nowNs);
    assertThat(link.calls).containsExactly("tell", "farewell IMPOSSIBLE", "stop", "release");
  }

  @Test
  void shouldStopWhenPeerTakesNothing() {
    link.end.proceed(nowNs);
    link.end.proceed(nowNs + EndingLink.LIMIT_NS);
    assertThat(link.calls).containsExactly("stop");
    link.givenBack = true;
    link.end.proceed(nowNs + EndingLink.LIMIT_NS);
    assertThat(link.calls).containsExactly("stop", "release", "tell");
  }

  @Test
  void shouldNotWaitForeverForTheDevice() {
    link.abrupt = true;
    link.end.proceed(nowNs);
    link.end.proceed(nowNs);
    assertThat(link.calls).containsExactly("stop");
    link.end.proceed(nowNs + EndingLink.LIMIT_NS);
    assertThat(link.calls).containsExactly("stop", "release", "tell");
  }

  @Test
  void shouldEndAtOnceWhatWasNeverConnected() {
    link.connected = false;
    link.end.proceed(nowNs);
    assertThat(link.calls).containsExactly("release", "tell");
  }

  @Test
  void shouldGiveUpAttemptThatTakesTooLong() {
    link.opened = false;
    link.closed = false;
    link.connected = false;
    link.end.proceed(nowNs);
    assertThat(link.calls).isEmpty();
    link.end.proceed(nowNs + EndingLink.LIMIT_NS);
    assertThat(link.calls).containsExactly("fail no answer within 1000 ms", "release", "tell");
  }

  @Test
  void shouldLeaveToWhoIsInsideWhatThatOneUses() {
    link.closed = false;
    link.end.force();
    assertThat(link.calls).containsExactly("give up used=true", "tell");
    link.end.force();
    assertThat(link.calls).hasSize(2);
  }

  @Test
  void shouldReleaseByForceWhatNobodyUses() {
    link.end.force();
    assertThat(link.calls).containsExactly("give up used=false", "release", "tell");
  }

  @Test
  void shouldTellOfTheEndThoughReleasingFails() {
    link.connected = false;
    link.failsToRelease = true;
    TimedLinks.proceed(link, nowNs);
    assertThat(link.calls).containsExactly("release", "tell");
    assertThat(link.end.isOver()).isTrue();
  }

  @Test
  void shouldWatchLinksUntilTheyAreOpenOrOver() {
    TimedLinks timed = new TimedLinks();
    EndingLink opening = newLink();
    opening.opened = false;
    opening.closed = false;
    timed.add(link);
    timed.add(link); // once
    timed.add(opening);
    long nextNs = timed.nextLookNs();
    timed.look(nextNs - 1);
    assertThat(timed.nextLookNs()).isEqualTo(nextNs);
    timed.look(nextNs);
    assertThat(timed.isEmpty()).isFalse();
    opening.opened = true;
    link.connected = false;
    timed.look(timed.nextLookNs());
    assertThat(timed.isEmpty()).isTrue();
    assertThat(link.end.isOver()).isTrue();
    assertThat(opening.calls).isEmpty();
    timed.add(opening); // it may be watched again, when it closes
    assertThat(timed.isEmpty()).isFalse();
  }
}
