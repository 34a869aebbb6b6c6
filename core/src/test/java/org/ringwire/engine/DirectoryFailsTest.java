package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;
import static org.ringwire.testing.Undeclared.undeclared;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Exchange;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeUnreachableException;
import org.ringwire.SendStatus;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** A directory is somebody's own code: what it throws says that a node cannot be reached. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class DirectoryFailsTest {

  record Ask(long number) {}

  private final TestNodes nodes = new TestNodes("tcp");
  private volatile @Nullable IntFunction<Throwable> failure; // by id of the node

  private final NodeDirectory directory =
      nodeId -> {
        IntFunction<Throwable> current = failure;
        if (current != null) {
          throw undeclared(current.apply(nodeId));
        }
        return nodes.directory().address(nodeId);
      };

  @AfterEach
  void end() {
    nodes.close();
  }

  private static void get(CompletableFuture<?> future) throws Throwable {
    try {
      future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  /** Whatever says what became of it by an exception. */
  private static ThrowingCallable[] calls(Node node) {
    return new ThrowingCallable[] {
      () -> node.send(2, new Ask(1)),
      () -> node.request(2, new Ask(1), Ask.class, PATIENCE),
      () -> get(node.requestAsync(2, new Ask(1), Ask.class, PATIENCE)),
      () -> get(node.whenWritable(2)),
    };
  }

  private void assertGoesOn(Node one) {
    failure = null;
    assertThat(one.metrics().connections()).isEmpty();
    assertThat(one.request(2, new Ask(7), Ask.class, PATIENCE)).isEqualTo(new Ask(7));
    assertThat(one.trySend(2, new Ask(1))).isEqualTo(SendStatus.ACCEPTED);
  }

  @Test
  void shouldSayWhyANodeCannotBeReached() {
    Node one = nodes.open(1, settings -> settings.peers(directory));
    nodes.open(2).handle(Ask.class, DirectoryFailsTest::answer);
    Throwable[] failures = {
      new IllegalStateException("on purpose"), new IOException("on purpose, and undeclared")
    };
    for (Throwable thrown : failures) {
      failure = nodeId -> thrown;
      for (ThrowingCallable call : calls(one)) {
        assertThatThrownBy(call)
            .isInstanceOf(NodeUnreachableException.class)
            .hasMessageContaining("nodeId=2")
            .hasMessageContaining("on purpose")
            .hasCause(thrown);
      }
      assertThat(one.trySend(2, new Ask(1))).isEqualTo(SendStatus.UNREACHABLE);
      assertThat(one.send(Set.of(2), new Ask(1)).statuses())
          .containsEntry(2, SendStatus.UNREACHABLE);
    }
    assertGoesOn(one);
  }

  @Test
  void shouldLetErrorsThroughAndBeginNothing() {
    Node one = nodes.open(1, settings -> settings.peers(directory));
    nodes.open(2).handle(Ask.class, DirectoryFailsTest::answer);
    StackOverflowError error = new StackOverflowError("on purpose");
    failure = nodeId -> error;
    for (ThrowingCallable call : calls(one)) {
      assertThatThrownBy(call).isSameAs(error);
    }
    assertThatThrownBy(() -> one.trySend(2, new Ask(1))).isSameAs(error);
    assertThatThrownBy(() -> one.send(Set.of(2), new Ask(1))).isSameAs(error);
    assertGoesOn(one);
  }

  @Test
  void shouldServeAPeerThatConnectsByItself() {
    Node one = nodes.open(1, settings -> settings.peers(directory));
    one.handle(Ask.class, DirectoryFailsTest::answer);
    Node two = nodes.open(2);
    two.handle(Ask.class, DirectoryFailsTest::answer);
    failure = nodeId -> new IllegalStateException("on purpose");
    assertThat(two.request(1, new Ask(7), Ask.class, PATIENCE)).isEqualTo(new Ask(7));
    assertThat(one.request(2, new Ask(8), Ask.class, PATIENCE)).isEqualTo(new Ask(8));
  }

  @Test
  void shouldServeAPeerAfterAnErrorThatItHasMet() {
    Node one = nodes.open(1, settings -> settings.peers(directory));
    one.handle(Ask.class, DirectoryFailsTest::answer);
    Node two = nodes.open(2);
    failure = nodeId -> new StackOverflowError("on purpose");
    assertThatThrownBy(() -> two.send(1, new Ask(1))).isInstanceOf(NodeUnreachableException.class);
    failure = null;
    await("the next attempt", () -> two.trySend(1, new Ask(2)) == SendStatus.ACCEPTED);
    assertThat(two.request(1, new Ask(7), Ask.class, PATIENCE)).isEqualTo(new Ask(7));
  }

  private static void answer(Ask ask, Exchange exchange) {
    if (exchange.isRequest()) {
      exchange.reply(ask);
    }
  }
}
