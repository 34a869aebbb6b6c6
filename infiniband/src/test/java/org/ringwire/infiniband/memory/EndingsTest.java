package org.ringwire.infiniband.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteMemoryException.Reason;
import org.ringwire.infiniband.verbs.types.SendOpcode;
import org.ringwire.testing.NodeWatcher;

/** That futures are told of the end of their operations, also where there is no thread for that. */
@ExtendWith(NodeWatcher.class)
class EndingsTest {

  private static final long LONG_NS = TimeUnit.DAYS.toNanos(1);

  private final AtomicInteger wakeUps = new AtomicInteger();
  private final AtomicInteger started = new AtomicInteger();
  private Error shortage = new OutOfMemoryError("of a test");

  /** As the virtual machine does it, but for the shortage. */
  private void start(Runnable body) {
    Error current = shortage;
    if (current != null) {
      throw current;
    }
    started.incrementAndGet();
    body.run();
  }

  private Endings endings(long longestNs) {
    return new Endings(wakeUps::incrementAndGet, this::start, longestNs);
  }

  private static CompletableFuture<Long> end(Endings endings, long result, RuntimeException why) {
    CompletableFuture<Long> future = new CompletableFuture<>();
    Operation operation = new Operation();
    operation.atomic(SendOpcode.ATOMIC_FETCH_AND_ADD, null, 0, 1, 0);
    operation.completes(future);
    operation.result(result);
    if (why != null) {
      operation.fail(why);
    }
    operation.end();
    assertThat(operation.hasFuture()).isTrue();
    endings.tell(operation);
    return future;
  }

  /** Who completes operations of others is any thread that waits. */
  @Test
  void shouldTellWithNothingOfTheThreadThatHappensToTell() throws Exception {
    ClassLoader opener = Thread.currentThread().getContextClassLoader();
    InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
    Endings endings = new Endings(wakeUps::incrementAndGet);
    CompletableFuture<String> seen = new CompletableFuture<>();
    CompletableFuture<Long> future = new CompletableFuture<>();
    CompletableFuture<Void> _ =
        future.thenRun(() -> {
          boolean own = Objects.equals(Thread.currentThread().getContextClassLoader(), opener);
          seen.complete(user.get() + (own ? "" : " in another class loader"));
        });
    Operation operation = new Operation();
    operation.atomic(SendOpcode.ATOMIC_FETCH_AND_ADD, null, 0, 1, 0);
    operation.completes(future);
    operation.end();
    user.set("somebody");
    try {
      Thread.currentThread().setContextClassLoader(new ClassLoader(opener) {});
      endings.tell(operation);
    } finally {
      Thread.currentThread().setContextClassLoader(opener);
      user.remove();
    }
    assertThat(seen.get(1, TimeUnit.MINUTES)).isEqualTo("null");
  }

  @Test
  void shouldTellAllWhenThereAreThreadsAgain() {
    Endings endings = endings(LONG_NS);
    List<CompletableFuture<Long>> futures = new ArrayList<>();
    for (long i = 0; i < 5; i++) {
      futures.add(end(endings, i, null));
    }
    RuntimeException why = new RemoteMemoryException(Reason.REFUSED, "revoked", null);
    CompletableFuture<Long> failed = end(endings, 0, why);
    assertThat(wakeUps).hasValue(6);
    assertThat(endings.retry()).isTrue();
    assertThat(endings.retry()).isTrue();
    assertThat(futures).noneMatch(CompletableFuture::isDone);

    shortage = null;

    assertThat(endings.retry()).isFalse();
    for (int i = 0; i < 5; i++) {
      assertThat(futures.get(i)).isCompletedWithValue((long) i);
    }
    assertThatThrownBy(failed::join).hasCause(why);
    assertThat(started).hasValue(6);
    assertThat(endings.retry()).isFalse();
    assertThat(started).hasValue(6);
  }

  @Test
  void shouldTellWithoutThreadsIfThereWereNoneForLong() {
    Endings endings = endings(0);
    CompletableFuture<Long> first = end(endings, 1, null);
    CompletableFuture<Long> second = end(endings, 2, null);
    assertThat(first).isNotDone(); // whoever has ended it holds a lock

    assertThat(endings.retry()).isFalse();

    assertThat(first).isCompletedWithValue(1L);
    assertThat(second).isCompletedWithValue(2L);
    assertThat(started).hasValue(0);
  }

  @Test
  void shouldLeaveNothingUntoldWhenItCloses() {
    Endings endings =
        new Endings(
            wakeUps::incrementAndGet,
            _ -> {
              throw new RejectedExecutionException("of a test");
            },
            LONG_NS);
    CompletableFuture<Long> before = end(endings, 1, null);

    endings.close();

    assertThat(before).isCompletedWithValue(1L);
    assertThat(end(endings, 2, null)).isCompletedWithValue(2L);
    assertThat(wakeUps).hasValue(1);
  }

  /** An operation ends whose future finds no heap the first time. */
  private static CompletableFuture<Long> endWithoutHeap(Endings endings) {
    AtomicInteger tries = new AtomicInteger();
    CompletableFuture<Long> future =
        new CompletableFuture<>() {
          @Override
          public boolean complete(Long value) {
            if (tries.getAndIncrement() == 0) {
              throw new OutOfMemoryError("of a test");
            }
            return super.complete(value);
          }
        };
    Operation operation = new Operation();
    operation.atomic(SendOpcode.ATOMIC_FETCH_AND_ADD, null, 0, 1, 0);
    operation.completes(future);
    operation.end();
    endings.tell(operation);
    return future;
  }

  /** The heap may be full when a thread has been found, too. */
  @Test
  void shouldTryAgainIfItCannotTell() {
    Endings endings = endings(LONG_NS);
    shortage = null;
    CompletableFuture<Long> future = endWithoutHeap(endings);

    assertThat(future).isNotDone();
    assertThat(endings.retry()).isFalse();
    assertThat(future).isCompletedWithValue(0L);
  }

  /** The virtual machine may want one more thread to run it on, and another one is there. */
  @Test
  void shouldTellAllThoughAThreadRunsThatCouldNotBeHad() {
    List<Runnable> bodies = new ArrayList<>();
    Endings endings =
        new Endings(
            wakeUps::incrementAndGet,
            body -> {
              bodies.add(body);
              start(body);
            },
            LONG_NS);
    CompletableFuture<Long> first = endWithoutHeap(endings);
    CompletableFuture<Long> second = end(endings, 2, null);
    CompletableFuture<Long> third = end(endings, 3, null);

    bodies.getFirst().run();
    assertThat(endings.retry()).isTrue();
    shortage = null;

    assertThat(endings.retry()).isFalse();
    assertThat(first).isCompletedWithValue(0L);
    assertThat(second).isCompletedWithValue(2L);
    assertThat(third).isCompletedWithValue(3L);
  }

  @Test
  void shouldTellThoughThereIsNoHeapForItAfterTheClose() {
    List<Runnable> bodies = new ArrayList<>();
    Endings endings = new Endings(wakeUps::incrementAndGet, bodies::add, LONG_NS);
    endings.close();
    CompletableFuture<Long> future = endWithoutHeap(endings);
    assertThat(future).isNotDone();

    bodies.getFirst().run();

    assertThat(future).isCompletedWithValue(0L);
  }

  @Test
  void shouldTellAtTheNextCloseWhatThereWasNoHeapFor() {
    Endings endings = endings(LONG_NS);
    CompletableFuture<Long> first = endWithoutHeap(endings);
    CompletableFuture<Long> second = end(endings, 2, null);

    assertThatThrownBy(endings::close).isInstanceOf(OutOfMemoryError.class);
    assertThat(first).isNotDone();
    endings.close();

    assertThat(first).isCompletedWithValue(0L);
    assertThat(second).isCompletedWithValue(2L);
  }

  /** Else they wrap it, for which there may be no heap, and are never told. */
  @Test
  void shouldTellOfAFailureAsStagesThatFollowTakeIt() {
    shortage = null;
    RuntimeException why = new RemoteMemoryException(Reason.REFUSED, "revoked", null);
    CompletableFuture<Long> failed = end(endings(LONG_NS), 0, why);

    assertThat(failed.handle((_, e) -> e).join())
        .isInstanceOf(CompletionException.class)
        .hasCause(why);
  }
}
