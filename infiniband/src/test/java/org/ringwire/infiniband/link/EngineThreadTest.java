package org.ringwire.infiniband.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.verbs.types.AsyncEvent;
import org.ringwire.infiniband.verbs.types.AsyncEventType;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** What is left to the thread of an engine is done, and nothing of it is slept over. */
@ExpectedErrors("as this test wants it")
@ExtendWith(NodeWatcher.class)
class EngineThreadTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int OWN = 4;

  private final Engineless engineless = new Engineless();
  private final EngineThread thread = engineless.thread;

  @AfterEach
  void close() {
    thread.shutdown();
    thread.awaitEnd(PATIENCE.toNanos());
    engineless.close();
  }

  @Test
  void shouldDoWhatLinksWantWithoutSleepingOverAnyOfIt() {
    EndingLink link = engineless.newLink();
    thread.start();
    for (int i = 1; i <= 1_000; i++) {
      int expected = i;
      link.life.signal(OWN);
      await("applied", () -> link.calls.size() == expected);
    }
    assertThat(link.calls).containsOnly("apply " + OWN);
  }

  @Test
  void shouldLetStarvedLinksLookAgain() {
    EndingLink link = engineless.newLink();
    thread.start();
    thread.starve(link);
    await("resumed", () -> link.calls.contains("resume"));
    assertThat(thread.hasStarved()).isFalse();
  }

  /** Whatever finds that there is nothing for it says so, and each time that it looks again. */
  @Test
  void shouldLetAStarvedLinkLookOnceAtATime() {
    EndingLink link = engineless.newLink();
    for (int times = 0; times < 3; times++) {
      thread.starve(link);
    }
    thread.resumeStarved();
    assertThat(link.calls).containsExactly("resume");
    assertThat(thread.hasStarved()).isFalse();
  }

  @Test
  void shouldLetALinkLookAgainForWhichThereWasNoHeap() {
    EndingLink first = engineless.newLink();
    EndingLink second = engineless.newLink();
    first.lacksHeapToResume = true;
    thread.starve(first);
    thread.starve(second);
    assertThatThrownBy(thread::resumeStarved).isInstanceOf(OutOfMemoryError.class);
    thread.resumeStarved();
    assertThat(first.calls).containsExactly("resume");
    assertThat(second.calls).containsExactly("resume");
    assertThat(thread.hasStarved()).isFalse();
  }

  @Test
  void shouldLetALinkLookOnceForWhichThereWasNoHeapAndThatStarvesAgain() {
    EndingLink link = engineless.newLink();
    link.lacksHeapToResume = true;
    thread.starve(link);
    assertThatThrownBy(thread::resumeStarved).isInstanceOf(OutOfMemoryError.class);
    thread.starve(link);
    thread.resumeStarved();
    assertThat(link.calls).containsExactly("resume");
    assertThat(thread.hasStarved()).isFalse();
  }

  @Test
  void shouldLetALinkThatStarvesAgainLookInTheNextRound() {
    EndingLink first = engineless.newLink();
    EndingLink second = engineless.newLink();
    first.starvesAgain = true;
    thread.starve(first);
    thread.starve(second);
    thread.resumeStarved();
    assertThat(first.calls).containsExactly("resume");
    assertThat(second.calls).containsExactly("resume");
    assertThat(thread.hasStarved()).isTrue();
    first.starvesAgain = false;
    thread.resumeStarved();
    assertThat(first.calls).containsExactly("resume", "resume");
    assertThat(second.calls).containsExactly("resume");
    assertThat(thread.hasStarved()).isFalse();
  }

  /** One that always lacks more would take all that the others give back. */
  @Test
  void shouldLetLinksThatLackTheSameTakeTurns() {
    AtomicInteger shared = new AtomicInteger();
    List<EndingLink> links = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      EndingLink link = engineless.newLink();
      link.shared = shared;
      link.starvesAgain = true;
      links.add(link);
      thread.starve(link);
    }
    for (int round = 0; round < 6; round++) {
      shared.set(1);
      thread.resumeStarved();
    }
    assertThat(links).allSatisfy(link -> assertThat(link.calls).hasSize(2));
  }

  @Test
  void shouldDriveTheEndOfALinkThatCloses() {
    EndingLink link = engineless.newLink();
    link.drained = true;
    thread.start();
    link.closing();
    await("closed", () -> link.calls.contains("release"));
    assertThat(link.calls).containsExactly("closed in order", "farewell SAID", "release");
  }

  @Test
  void shouldLimitTheTimeOfAnAttempt() {
    EndingLink link = engineless.newLink();
    link.connected = false;
    thread.start();
    link.life.signal(EngineThread.LIMIT);
    await("given up", () -> !link.calls.isEmpty() && link.life.isClosed());
    await("closed", () -> link.calls.contains("closed no answer within 1000 ms"));
  }

  @Test
  void shouldEndItsLinksAndThenItself() throws InterruptedException {
    EndingLink link = engineless.begin();
    link.drained = true;
    thread.start();
    engineless.register.close();
    thread.shutdown();
    assertThat(engineless.ended.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(link.calls).endsWith("release");
    assertThat(engineless.register.isEmpty()).isTrue();
  }

  @Test
  void shouldTellAllLinksOfItsEndThoughNoneCanBeReleased() throws InterruptedException {
    List<EndingLink> links = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      engineless.begin();
    }
    engineless.register.forEach(links::add);
    links.forEach(link -> link.failsToRelease = true);
    thread.start();
    engineless.fails = true;
    thread.wake();
    assertThat(engineless.ended.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(links).hasSize(3);
    assertThat(links).allSatisfy(link -> assertThat(link.calls.getLast()).startsWith("closed"));
    assertThat(engineless.register.isEmpty()).isTrue();
  }

  @Test
  void shouldCloseAllLinksWhenItsDutyFails() throws InterruptedException {
    EndingLink link = engineless.begin();
    thread.start();
    engineless.fails = true;
    thread.wake();
    assertThat(engineless.ended.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(link.calls).contains("closed as this test wants it");
    assertThat(engineless.register.isEmpty()).isTrue();
  }

  @Test
  void shouldGoOnWhenThereWasNoHeapForItsDuty() {
    EndingLink link = engineless.newLink();
    thread.start();
    engineless.lacksHeap = true;
    link.life.signal(OWN);
    await("applied", () -> !engineless.lacksHeap && link.calls.contains("apply " + OWN));
    link.life.signal(2 * OWN);
    await("applied", () -> link.calls.contains("apply " + 2 * OWN));
    assertThat(engineless.ended.getCount()).isOne();
  }

  /** Links that end may wait for them; and there may be no heap for them at first. */
  @Test
  void shouldHearOfEventsOfTheDeviceThoughItNeverSleeps() {
    EndingLink link = engineless.newLink();
    engineless.spins = true;
    engineless.lacksHeapForEvents = true;
    engineless.deviceEvents.add(new AsyncEvent(AsyncEventType.QP_LAST_WQE_REACHED, 17));
    thread.start();
    link.closing();
    await("heard", () -> engineless.lastReached == 17);
    engineless.spins = false;
  }

  /** What was wanted is done later, of all. */
  @Test
  void shouldForgetNothingForWhichThereWasNoHeap() {
    EndingLink first = engineless.newLink();
    EndingLink second = engineless.newLink();
    first.lacksHeap = true;
    first.life.signal(OWN);
    second.life.signal(OWN);
    thread.start();
    await("applied", () -> first.calls.contains("apply " + OWN));
    await("applied", () -> second.calls.contains("apply " + OWN));
    assertThat(first.life.isClosing()).isFalse();
  }

  @Test
  void shouldReleaseALinkLaterIfThereWasNoHeapForThat() {
    EndingLink link = engineless.newLink();
    link.drained = true;
    link.lacksHeapToRelease = true;
    thread.start();
    link.closing();
    await("released", () -> link.calls.contains("release"));
    assertThat(link.calls).containsExactly("closed in order", "farewell SAID", "release");
  }
}
