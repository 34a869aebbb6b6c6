package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.testing.NodeWatcher;

/** What belongs to a node hears of its close, and may go before it. */
@ExtendWith(NodeWatcher.class)
class WhenClosedTest {

  private final TestNodes nodes = new TestNodes("loopback");

  @AfterEach
  void end() {
    nodes.close();
  }

  @Test
  void shouldKeepNothingOfThoseWhoWantToHearOfTheCloseNoMore() {
    Node node = nodes.open(1);
    AtomicInteger ended = new AtomicInteger();
    List<WeakReference<?>> gone = new ArrayList<>();
    for (int count = 0; count < 100; count++) {
      gone.add(unwanted(node, ended));
    }
    await(
        "nothing is left of them",
        () -> {
          System.gc();
          gone.removeIf(future -> future.refersTo(null));
          return gone.isEmpty();
        });
    CompletableFuture<Void> _ = node.whenClosed().thenRun(ended::incrementAndGet);

    node.close();

    assertThat(ended).as("the one that was there").hasValue(1);
  }

  /** Of what should have ended with the node, and has ended before. */
  private static WeakReference<?> unwanted(Node node, AtomicInteger ended) {
    CompletableFuture<Void> future = node.whenClosed();
    CompletableFuture<Void> _ = future.thenRun(ended::incrementAndGet);
    assertThat(future.cancel(false)).isTrue();
    return new WeakReference<>(future);
  }

  /** Each has its own. */
  @Test
  void shouldTellAllOthersThoughOneHasEndedItsFuture() {
    Node node = nodes.open(1);
    CompletableFuture<Void> one = node.whenClosed();
    CompletableFuture<Void> other = node.whenClosed();

    assertThat(one.complete(null)).isTrue();

    assertThat(other).isNotDone();
    assertThat(node.whenClosed()).isNotDone();
    node.close();
    assertThat(other).isCompletedWithValue(null);
    assertThat(node.whenClosed()).isCompletedWithValue(null);
  }
}
