package org.ringwire.infiniband.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.link.LinkData.Farewell;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** The steps in which links end, and that nothing keeps one from ending. */
@Tag("rdma-classes")
@ExpectedErrors("as this test wants it")
@ExtendWith(NodeWatcher.class)
class LinkEndTest {

  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(3); // beyond all that an end waits

  private final Engineless engineless = new Engineless();
  private final EndingLink link = engineless.newLink().closing();
  private final long nowNs = System.nanoTime();

  @AfterEach
  void close() {
    engineless.close();
  }

  @Test
  void shouldDeliverWhatWasWrittenBeforeFarewell() {
    link.proceed(nowNs);
    assertThat(link.calls).isEmpty();
    link.drained = true;
    link.proceed(nowNs);
    assertThat(link.calls).containsExactly("closed in order", "farewell SAID");
    link.drained = false; // the farewell is on its way
    link.proceed(nowNs);
    assertThat(link.life.isOver()).isFalse();
    link.drained = true;
    link.proceed(nowNs);
    assertThat(link.calls).containsExactly("closed in order", "farewell SAID", "release");
    assertThat(link.life.isOver()).isTrue();
  }

  @Test
  void shouldSayFarewellAgainWhenThereWasNoRoom() {
    link.drained = true;
    link.farewell = Farewell.LATER;
    link.proceed(nowNs);
    link.farewell = Farewell.SAID;
    link.proceed(nowNs);
    link.proceed(nowNs);
    assertThat(link.calls)
        .containsExactly("closed in order", "farewell LATER", "farewell SAID", "release");
  }

  @Test
  void shouldStopWhenFarewellCannotBeSaid() {
    link.drained = true;
    link.givenBack = true;
    link.farewell = Farewell.IMPOSSIBLE;
    link.proceed(nowNs);
    assertThat(link.calls)
        .containsExactly("closed in order", "farewell IMPOSSIBLE", "stop", "release");
  }

  @Test
  void shouldStopWhenPeerTakesNothing() {
    link.proceed(nowNs);
    link.proceed(nowNs + LIMIT_NS);
    assertThat(link.calls).containsExactly("stop");
    link.givenBack = true;
    link.proceed(nowNs + LIMIT_NS);
    assertThat(link.calls).containsExactly("stop", "release", "closed in order");
  }

  /** Hundreds of links end at once then, and the device takes their farewells one by one. */
  @Test
  void shouldCutNobodyOffAtCloseWhileOthersEndInOrder() {
    long shortlyNs = TimeUnit.MILLISECONDS.toNanos(250); // one after the other take too long
    EndingLink first = engineless.newLink().closing();
    EndingLink second = engineless.newLink().closing();
    engineless.register.close();
    for (EndingLink ending : List.of(first, second, link)) {
      ending.drained = true;
      ending.proceed(nowNs); // says farewell, which arrives later
      ending.drained = false;
    }
    first.drained = true;
    first.proceed(nowNs + shortlyNs);
    second.proceed(nowNs + 2 * shortlyNs);
    assertThat(second.calls).doesNotContain("stop");
    second.drained = true;
    second.proceed(nowNs + 2 * shortlyNs);
    assertThat(second.calls).containsExactly("closed in order", "farewell SAID", "release");
    link.proceed(nowNs + 3 * shortlyNs);
    assertThat(link.calls).doesNotContain("stop");
    link.proceed(nowNs + 4 * shortlyNs);
    assertThat(link.calls).as("when nobody has ended for a while").contains("stop");
  }

  @Test
  void shouldNotWaitForeverForTheDevice() {
    link.broken = true;
    link.proceed(nowNs);
    link.proceed(nowNs);
    assertThat(link.calls).containsExactly("stop");
    link.proceed(nowNs + LIMIT_NS);
    assertThat(link.calls).containsExactly("stop", "release", "closed in order");
  }

  /**
   * It is for the next links, so nobody waits for it, but the end of what it could be lost with.
   */
  @Test
  void shouldTellOfTheEndBeforeWhatOthersReceiveIntoIsBack() {
    link.drained = true;
    link.receivingOver = false;
    link.proceed(nowNs);
    link.proceed(nowNs);
    link.proceed(nowNs);
    EndingLink broken = engineless.newLink().closing();
    broken.broken = true;
    broken.givenBack = true;
    broken.receivingOver = false;
    broken.proceed(nowNs);
    broken.proceed(nowNs);
    assertThat(link.calls).containsExactly("closed in order", "farewell SAID");
    assertThat(broken.calls).containsExactly("stop", "closed in order");
    assertThat(link.life.isOver() || broken.life.isOver()).isFalse();
    link.receivingOver = true;
    link.proceed(nowNs);
    broken.proceed(nowNs + LIMIT_NS); // a device that does not tell
    assertThat(link.calls).containsExactly("closed in order", "farewell SAID", "release");
    assertThat(broken.calls).containsExactly("stop", "closed in order", "release");
    assertThat(link.life.isOver() && broken.life.isOver()).isTrue();
  }

  @Test
  void shouldNotWaitAtCloseForWhatNobodyWillReceiveInto() {
    link.drained = true;
    link.receivingOver = false;
    link.proceed(nowNs);
    link.proceed(nowNs);
    assertThat(link.life.isOver()).isFalse();
    engineless.register.close();
    link.proceed(nowNs);
    assertThat(link.calls).containsExactly("closed in order", "farewell SAID", "release");
  }

  @Test
  void shouldEndAtOnceWhatWasNeverConnected() {
    link.connected = false;
    link.proceed(nowNs);
    assertThat(link.calls).containsExactly("release", "closed in order");
  }

  @Test
  void shouldGiveUpAttemptThatTakesTooLong() {
    EndingLink attempt = engineless.newLink();
    attempt.connected = false;
    long lateNs = System.nanoTime() + LIMIT_NS; // its time began when it was made
    attempt.proceed(nowNs);
    assertThat(attempt.calls).isEmpty();
    attempt.proceed(lateNs);
    assertThat(attempt.calls).containsExactly("release", "closed no answer within 1000 ms");
  }

  @Test
  void shouldLeaveToWhoIsInsideWhatThatOneUses() {
    EndingLink used = engineless.newLink();
    used.life.open();
    assertThat(used.life.enter()).isTrue();
    used.close();
    used.life.end().force();
    assertThat(used.calls).containsExactly("give up used=true", "closed in order");
    used.life.end().force();
    assertThat(used.calls).hasSize(2);
  }

  @Test
  void shouldReleaseByForceWhatNobodyUses() {
    link.life.end().force();
    assertThat(link.calls).containsExactly("give up used=false", "release", "closed in order");
  }

  @Test
  void shouldTellOfTheEndThoughReleasingFails() {
    link.connected = false;
    link.failsToRelease = true;
    TimedLinks.proceed(link.life, nowNs);
    assertThat(link.calls).containsExactly("release", "closed in order");
    assertThat(link.life.isOver()).isTrue();
  }

  @Test
  void shouldWatchLinksUntilTheyAreOpenOrOver() {
    TimedLinks timed = new TimedLinks();
    EndingLink opening = engineless.newLink();
    timed.add(link.life);
    timed.add(link.life); // once
    timed.add(opening.life);
    long nextNs = timed.nextLookNs();
    timed.look(nextNs - 1);
    assertThat(timed.nextLookNs()).isEqualTo(nextNs);
    timed.look(nextNs);
    assertThat(timed.isEmpty()).isFalse();
    opening.life.open();
    link.connected = false;
    timed.look(timed.nextLookNs());
    assertThat(timed.isEmpty()).isTrue();
    assertThat(link.life.isOver()).isTrue();
    assertThat(opening.calls).isEmpty();
    timed.add(opening.life); // it may be watched again, when it closes
    assertThat(timed.isEmpty()).isFalse();
  }
}
