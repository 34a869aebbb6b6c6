package org.ringwire.engine.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.await;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** Which calls of blocking handlers get a thread, and when. */
@ExtendWith(NodeWatcher.class)
class BlockingStartsTest {

  private static final int MANY = 10 * BlockingStarts.MOST;

  private final Queue<Runnable> started = new ArrayDeque<>();
  private final List<String> begun = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();
  private final BlockingStarts starts = new BlockingStarts(this::start);
  private int failures; // of those that are started next
  private boolean refuses; // them, in place of memory for a thread
  private boolean runsAndThrows;
  private boolean keepsAndThrows; // so that it runs later
  private boolean endsStack; // with the next one
  private boolean othersBegin; // each of them as soon as the next one is started

  private final class Named extends BlockingStarts.Call {
    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    public void runToEnd() {
      begun.add(name);
    }

    @Override
    public void notStarted(Throwable cause) {
      refused.add(name);
      throw new OutOfMemoryError("as there is no heap to tell anybody");
    }
  }

  private void start(Runnable thread) {
    if (failures > 0) {
      failures--;
      if (refuses) {
        throw new RejectedExecutionException("no scheduler");
      }
      throw new OutOfMemoryError("no thread");
    }
    if (endsStack) {
      endsStack = false;
      throw new StackOverflowError("the stack of who starts it is too short");
    }
    if (othersBegin && !started.isEmpty()) {
      begin(1);
    }
    if (runsAndThrows) {
      thread.run();
      throw new OutOfMemoryError("no carrier");
    }
    started.add(thread);
    if (keepsAndThrows) {
      throw new OutOfMemoryError("no carrier");
    }
  }

  private void add(BlockingStarts.Line line, String name, int count) {
    for (int number = 0; number < count; number++) {
      starts.add(line, new Named(name));
    }
  }

  private void begin(int count) {
    for (int number = 0; number < count; number++) {
      started.remove().run();
    }
  }

  @Test
  void shouldStartMoreWhenAllHaveBegunAndNoSooner() {
    add(new BlockingStarts.Line(), "one", MANY);
    assertThat(started).hasSize(BlockingStarts.MOST);
    begin(BlockingStarts.MOST - 1);
    assertThat(started).hasSize(1);
    begin(1);
    assertThat(started).hasSize(BlockingStarts.MOST);
    while (!started.isEmpty()) {
      begin(1);
    }
    assertThat(begun).hasSize(MANY);
    add(new BlockingStarts.Line(), "two", 1);
    assertThat(started).hasSize(1);
  }

  @Test
  void shouldGiveThreadsToEachLinkInTurn() {
    BlockingStarts.Line busy = new BlockingStarts.Line();
    BlockingStarts.Line other = new BlockingStarts.Line();
    add(busy, "busy", MANY);
    add(other, "other", 2);
    add(new BlockingStarts.Line(), "third", 1);
    begin(BlockingStarts.MOST);
    begun.clear();
    begin(5);
    assertThat(begun).containsExactly("busy", "other", "third", "busy", "other");
    begin(BlockingStarts.MOST - 5);
    add(other, "other", 1); // it comes again, behind the one that waits
    begun.clear();
    begin(BlockingStarts.MOST + 2);
    assertThat(begun).contains("other");
  }

  /** In order, and not before those that have a thread. */
  @Test
  void shouldKeepWhatThereIsNoThreadForAndStartItAgain() {
    BlockingStarts.Line line = new BlockingStarts.Line();
    failures = 2;
    add(line, "first", 1);
    assertThat(started).isEmpty();
    starts.look();
    assertThat(started).as("there is still none").isEmpty();
    add(line, "second", 1); // tries again
    assertThat(started).hasSize(2);
    begin(2);
    assertThat(begun).containsExactly("first", "second");
    failures = 1;
    add(line, "third", 1);
    starts.look();
    begin(1);
    assertThat(begun).containsExactly("first", "second", "third");
    assertThat(refused).isEmpty();
  }

  @Test
  void shouldKeepAllThatWaitThoughThereIsNoThreadForALongTime() {
    BlockingStarts.Line line = new BlockingStarts.Line();
    BlockingStarts.Line other = new BlockingStarts.Line();
    add(line, "one", MANY);
    add(other, "other", 3);
    failures = MANY;
    begin(BlockingStarts.MOST); // there is no thread for any that waits
    assertThat(started).isEmpty();
    assertThat(failures).as("tried once").isEqualTo(MANY - 1);
    starts.look();
    starts.look();
    assertThat(failures).isEqualTo(MANY - 3);
    failures = 0;
    starts.look();
    assertThat(started).hasSize(BlockingStarts.MOST);
    while (!started.isEmpty()) {
      begin(1);
    }
    assertThat(begun).hasSize(MANY + 3);
    assertThat(begun.indexOf("other")).isLessThan(2 * BlockingStarts.MOST);
    assertThat(refused).isEmpty();
  }

  @Test
  void shouldGoOnThoughSomeCannotBeStarted() {
    BlockingStarts.Line line = new BlockingStarts.Line();
    add(line, "one", BlockingStarts.MOST - 1);
    failures = 1;
    refuses = true;
    assertThatThrownBy(() -> starts.add(line, new Named("thrown")))
        .isInstanceOf(RejectedExecutionException.class);
    add(line, "one", 4);
    failures = 2;
    begin(BlockingStarts.MOST);
    assertThat(refused).hasSize(2);
    assertThat(started).hasSize(1);
    begin(1);
    add(line, "one", MANY);
    failures = MANY;
    begin(BlockingStarts.MOST);
    assertThat(refused).hasSize(2 + MANY - BlockingStarts.MOST);
    failures = 0;
    add(line, "again", 1);
    assertThat(started).hasSize(1);
  }

  /** As where there is no memory for one more carrier, and another one runs it. */
  @Test
  void shouldTakeAThreadThatRunsThoughItsStartHasThrownForOneThatRuns() {
    BlockingStarts.Line line = new BlockingStarts.Line();
    runsAndThrows = true;
    add(line, "runs", 1);
    assertThat(begun).containsExactly("runs");
    runsAndThrows = false;
    add(line, "one", MANY);
    assertThat(started).hasSize(BlockingStarts.MOST);
    begin(BlockingStarts.MOST - 1);
    runsAndThrows = true;
    begin(1); // of those that wait all run, and all throw
    assertThat(begun).hasSize(1 + MANY);
    assertThat(refused).isEmpty();
  }

  @Test
  void shouldGoOnAlsoAfterACountWasLost() {
    BlockingStarts.Line line = new BlockingStarts.Line();
    endsStack = true;
    assertThatThrownBy(() -> starts.add(line, new Named("thrown")))
        .isInstanceOf(StackOverflowError.class);
    add(line, "one", BlockingStarts.MOST + 1);
    begin(BlockingStarts.MOST - 1);
    started.clear(); // one never begins
    starts.look(); // some have begun
    assertThat(started).isEmpty();
    starts.look();
    assertThat(started).hasSize(1);
    begin(1);
    add(line, "one", 1);
    assertThat(started).hasSize(1);
  }

  /** It runs what waits for another one, which finds nothing to do then, and is counted. */
  @Test
  void shouldGoOnThoughAThreadRunsLateWhoseStartHasThrown() {
    BlockingStarts.Line line = new BlockingStarts.Line();
    keepsAndThrows = true;
    add(line, "late", 1);
    keepsAndThrows = false;
    begin(1); // and starts another one for it
    begin(1);
    assertThat(begun).containsExactly("late");
    failures = 1;
    add(line, "next", 1);
    starts.look(); // one has begun
    starts.look();
    assertThat(started).hasSize(1);
    begin(1);
    assertThat(begun).containsExactly("late", "next");
  }

  /** More would be before those of other links. */
  @Test
  void shouldStartNoMoreWhileHandlersKeepAllCores() {
    add(new BlockingStarts.Line(), "one", MANY);
    for (int look = 0; look < 10; look++) {
      starts.look();
    }
    assertThat(started).hasSize(BlockingStarts.MOST);
    begin(BlockingStarts.MOST);
    assertThat(started).hasSize(BlockingStarts.MOST);
  }

  @Test
  void shouldStartLaterWhatTheStackOfWhoStartsItIsTooShortFor() {
    BlockingStarts.Line line = new BlockingStarts.Line();
    add(line, "one", BlockingStarts.MOST + 2);
    endsStack = true;
    begin(BlockingStarts.MOST); // the last one looks for more, and the first of those fails
    assertThat(refused).isEmpty();
    starts.look();
    begin(2);
    assertThat(begun).hasSize(BlockingStarts.MOST + 2);
    add(line, "again", MANY);
    begin(BlockingStarts.MOST);
    assertThat(started).hasSize(BlockingStarts.MOST);
  }

  /** It has a core, which whoever comes later would keep from its handler. */
  @Test
  void shouldRunTheHandlerOfWhoStartsOthersHoweverManyCome() {
    BlockingStarts.Line flood = new BlockingStarts.Line();
    add(flood, "flood", BlockingStarts.MOST - 1);
    add(new BlockingStarts.Line(), "starter", 1);
    add(flood, "flood", 10 * MANY);
    begin(BlockingStarts.MOST - 1);
    begun.clear();
    othersBegin = true;
    begin(1);
    assertThat(begun.indexOf("starter")).isBetween(0, BlockingStarts.MOST);
    while (!started.isEmpty()) {
      begin(1);
    }
    assertThat(begun).hasSize(10 * MANY + 1);
  }

  @Test
  void shouldForgetNobodyWhoeverComesWhen() {
    AtomicInteger ran = new AtomicInteger();
    BlockingStarts virtual = new BlockingStarts(Thread::startVirtualThread);
    int threads = 4;
    List<Thread> adding = new ArrayList<>();
    for (int index = 0; index < threads; index++) {
      adding.add(Thread.ofPlatform().start(() -> addCounting(virtual, ran)));
    }
    await("all have run", () -> ran.get() == threads * 10 * MANY);
    adding.forEach(BlockingStartsTest::join);
  }

  private static void addCounting(BlockingStarts starts, AtomicInteger ran) {
    BlockingStarts.Line line = new BlockingStarts.Line();
    for (int number = 0; number < 10 * MANY; number++) {
      starts.add(
          line,
          new BlockingStarts.Call() {
            @Override
            public void runToEnd() {
              ran.incrementAndGet();
            }

            @Override
            public void notStarted(Throwable cause) {
              throw new AssertionError(cause);
            }
          });
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
