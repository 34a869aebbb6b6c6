package org.ringwire.engine.inbound.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.await;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** What is started begins, once, and what cannot be started never does. */
@ExtendWith(NodeWatcher.class)
class VirtualThreadsTest {

  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(500);

  private final List<Thread> made = new ArrayList<>();
  private final AtomicInteger runs = new AtomicInteger();
  private final CompletableFuture<Thread> begun = new CompletableFuture<>();
  private Consumer<Thread> starter = thread -> {}; // as one that nobody runs
  private final VirtualThreads threads = new VirtualThreads(this::start, Runnable::run);
  private long nowNs = System.nanoTime();

  private void start(Thread thread) {
    made.add(thread);
    starter.accept(thread);
  }

  private void begin() {
    threads.begin(
        "one",
        null,
        () -> {
          runs.incrementAndGet();
          begun.complete(Thread.currentThread());
        });
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      nowNs += LOOK_NS;
      threads.look(nowNs);
    }
  }

  private void runAll() throws InterruptedException {
    for (Thread thread : made) {
      if (thread.getState() == Thread.State.NEW) {
        thread.start();
      }
      thread.join();
    }
  }

  @Test
  void shouldStartAgainWhatHasNotBegunForLong() throws InterruptedException {
    begin();
    look(1);
    threads.look(nowNs); // another node's timer
    assertThat(made).hasSize(1);
    starter = Thread::start;
    look(1);
    assertThat(made).hasSize(2);
    await("it has begun", begun::isDone);
    assertThat(begun).isCompletedWithValue(made.getLast());
    assertThat(made.getLast().getName()).isEqualTo("one");
    runAll(); // also what was only late
    look(100);
    assertThat(made).hasSize(2);
    assertThat(runs).hasValue(1);
  }

  /** Handlers may keep all cores. */
  @Test
  void shouldStartMoreAndMoreRarelyWhatDoesNotBegin() throws InterruptedException {
    begin();
    look(64);
    assertThat(made).hasSizeBetween(5, 7);
    runAll();
    assertThat(runs).hasValue(1);
  }

  @Test
  void shouldTryAgainWhereThereIsStillNoThread() {
    begin();
    starter =
        _ -> {
          throw new OutOfMemoryError("no carrier");
        };
    look(5);
    assertThat(made).hasSize(5);
    starter = Thread::start;
    look(1);
    await("it has begun", begun::isDone);
  }

  @Test
  void shouldNotThrowWhereTheThreadRuns() {
    starter =
        thread -> {
          thread.start();
          await("it has begun", begun::isDone);
          throw new OutOfMemoryError("no carrier for the next one");
        };
    begin();
    assertThat(runs).hasValue(1);
  }

  @Test
  void shouldRunNothingThatHasThrown() throws InterruptedException {
    starter =
        _ -> {
          throw new OutOfMemoryError("no carrier");
        };
    assertThatThrownBy(this::begin).hasMessage("no carrier");
    runAll();
    look(10);
    assertThat(made).hasSize(1);
    assertThat(runs).hasValue(0);
  }

  /** With the JDK's own: nobody runs them when there are native threads again. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldBeginWhenThereAreNativeThreadsAgain() throws Exception {
    List<String> java =
        JavaProgram.command(
            FewThreadsProgram.class,
            "-Xss128m",
            "-XX:ReservedCodeCacheSize=32m",
            "-XX:CompressedClassSpaceSize=64m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx64m",
            "-Xlog:os+thread=off",
            "--enable-native-access=ALL-UNNAMED");
    String program = String.join(" ", java);
    Process process =
        new ProcessBuilder("sh", "-c", "ulimit -v 4000000; exec " + program)
            .redirectErrorStream(true)
            .start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
      assertThat(output.lines()).contains("all have begun");
    } finally {
      process.destroyForcibly();
    }
  }
}
