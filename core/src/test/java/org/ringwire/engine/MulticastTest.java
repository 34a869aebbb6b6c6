package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.EncodingException;
import org.ringwire.MulticastResult;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeDirectory;
import org.ringwire.SendStatus;
import org.ringwire.WaitInterruptedException;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** What a message to several nodes says of one that does not take it, and of this node's end. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class MulticastTest {

  record Text(String text) {}

  record Go(int to) {}

  private final TestNodes nodes = new TestNodes("tcp");
  private final Queue<Integer> receivers = new ConcurrentLinkedQueue<>();

  @AfterEach
  void end() {
    nodes.close();
  }

  private Node receiver(int id, int maxMessageLength) {
    Node node = nodes.open(id, settings -> settings.maxMessageLength(maxMessageLength));
    node.handle(Text.class, (text, exchange) -> receivers.add(id));
    return node;
  }

  @Test
  void shouldSayOfOneReceiverThatTheMessageIsTooLongForIt() {
    Node one = nodes.open(1);
    receiver(2, 1 << 20);
    receiver(3, 64 << 10);
    receiver(4, 1 << 20);
    Text text = new Text("a".repeat(200_000));
    for (int round = 1; round <= 2; round++) { // connecting, and over connections that there are
      MulticastResult result = one.send(Set.of(2, 3, 4), text);
      assertThat(result.statuses())
          .containsEntry(2, SendStatus.ACCEPTED)
          .containsEntry(3, SendStatus.TOO_LONG)
          .containsEntry(4, SendStatus.ACCEPTED);
      int arrived = 2 * round;
      await("both others", () -> receivers.size() == arrived);
    }
    assertThat(receivers).doesNotContain(3);
    assertThatThrownBy(() -> one.send(3, text)).isInstanceOf(EncodingException.class);
  }

  /** A directory is somebody's own code, and may fail for one node and not for others. */
  @Test
  void shouldSayOfOneReceiverThatTheDirectoryFails() {
    NodeDirectory broken =
        nodeId -> {
          if (nodeId == 3) {
            throw new IllegalStateException("no address on purpose");
          }
          return nodes.directory().address(nodeId);
        };
    Node one = nodes.open(1, settings -> settings.peers(broken));
    receiver(2, 1 << 20);
    receiver(4, 1 << 20);
    for (int round = 1; round <= 2; round++) { // connecting, and over connections that there are
      MulticastResult result = one.send(Set.of(2, 3, 4), new Text("to all"));
      assertThat(result.statuses())
          .containsEntry(2, SendStatus.ACCEPTED)
          .containsEntry(3, SendStatus.UNREACHABLE)
          .containsEntry(4, SendStatus.ACCEPTED);
      int arrived = 2 * round;
      await("both others", () -> receivers.size() == arrived);
    }
  }

  /** In whatever order the receivers are named. */
  @Test
  void shouldKeepNobodyWaitingForAReceiverThatIsFull() throws Exception {
    Node one = nodes.open(1);
    receiver(3, 1 << 20);
    one.send(3, new Text("connects"));
    expectThatOnlyNode2IsWaitedFor(one, new LinkedHashSet<>(List.of(2, 3)));
  }

  /** Connecting to one is not put off until another one has room. */
  @Test
  void shouldKeepNobodyWhoIsNotConnectedWaitingForAReceiverThatIsFull() throws Exception {
    Node one = nodes.open(1);
    receiver(3, 1 << 20);
    receiver(4, 1 << 20);
    expectThatOnlyNode2IsWaitedFor(one, Set.of(2, 3, 4));
  }

  /** Which is full. */
  private void expectThatOnlyNode2IsWaitedFor(Node one, Set<Integer> ids) throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    Node full = nodes.open(2, settings -> settings.window(4 << 10, 4 << 10));
    full.handle(Text.class, Dispatch.POOLED.inOrder(), (text, exchange) -> goOn.await());
    try {
      one.send(2, new Text("connects"));
      while (one.trySend(2, new Text("a".repeat(500))) == SendStatus.ACCEPTED) {
        Thread.onSpinWait();
      }
      CompletableFuture<MulticastResult> result =
          CompletableFuture.supplyAsync(() -> one.send(ids, new Text("b".repeat(500))));
      await("the others", () -> receivers.size() == 2 || result.isDone());
      assertThat(result).isNotDone();
      goOn.countDown();
      assertThat(result.get(1, TimeUnit.MINUTES).allAccepted()).isTrue();
    } finally {
      goOn.countDown();
    }
  }

  /** One that accepts a connection and says nothing is waited for until the time is over. */
  @Test
  void shouldKeepNobodyWaitingForAReceiverThatIsMute() throws Exception {
    Node one = nodes.open(1);
    CompletableFuture<MulticastResult> result;
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      nodes.directory().put(2, "127.0.0.1:" + mute.getLocalPort());
      receiver(3, 1 << 20);
      result = CompletableFuture.supplyAsync(() -> one.send(Set.of(2, 3), new Text("to both")));
      await("the other one", () -> receivers.size() == 1 || result.isDone());
      assertThat(result).isNotDone();
    }
    assertThat(result.get(1, TimeUnit.MINUTES).statuses()) // the connection has ended
        .containsEntry(2, SendStatus.UNREACHABLE)
        .containsEntry(3, SendStatus.ACCEPTED);
  }

  /** Who is interrupted while others wait for it leaves no thread behind, nor memory. */
  @Test
  void shouldGiveUpForAllReceiversIfItIsInterrupted() throws Exception {
    Node one = nodes.open(1);
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      nodes.directory().put(2, "127.0.0.1:" + mute.getLocalPort());
      nodes.directory().put(3, "127.0.0.1:" + mute.getLocalPort());
      CompletableFuture<Throwable> end = new CompletableFuture<>();
      Thread thread =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                try {
                  one.send(Set.of(2, 3), new Text("to nobody"));
                  end.complete(new AssertionError("was sent"));
                } catch (RuntimeException e) {
                  end.complete(e);
                }
              });
      await("waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
      thread.interrupt();
      assertThat(end.get(30, TimeUnit.SECONDS)).isInstanceOf(WaitInterruptedException.class);
    }
  }

  /**
   * Nothing comes out of order, or long after the call: what a thread sends that was interrupted
   * while it sent to several follows on nothing that is still under way. The thread that waits for
   * node 3 is kept in the directory, of which it does not hear that it was interrupted.
   */
  @Test
  void shouldSendNothingAnyMoreOnceItWasInterrupted() throws Exception {
    CompletableFuture<Thread> asks = new CompletableFuture<>();
    CountDownLatch answer = new CountDownLatch(1);
    CountDownLatch handle = new CountDownLatch(1);
    NodeDirectory slowForOthers =
        nodeId -> {
          if (nodeId == 3 && Thread.currentThread().isVirtual()) {
            asks.complete(Thread.currentThread());
            awaitWhateverComes(answer);
          }
          return nodes.directory().address(nodeId);
        };
    Node one = nodes.open(1, settings -> settings.peers(slowForOthers));
    Node closing = nodes.open(3);
    closing.handle(Text.class, (text, exchange) -> awaitWhateverComes(handle));
    Queue<String> texts = new ConcurrentLinkedQueue<>();
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      nodes.directory().put(2, "127.0.0.1:" + mute.getLocalPort());
      one.send(3, new Text("keeps it from closing"));
      CompletableFuture<?> closed =
          CompletableFuture.runAsync(() -> closing.close(TestNodes.PATIENCE));
      await("it closes", () -> one.trySend(3, new Text("probe")) == SendStatus.NOT_CONNECTED);
      Thread sender =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                try {
                  one.send(Set.of(2, 3), new Text("to both"));
                } catch (WaitInterruptedException e) {
                  boolean _ = Thread.interrupted();
                  one.send(3, new Text("after that"));
                }
              });
      await("waits", () -> sender.getState() == Thread.State.TIMED_WAITING);
      handle.countDown();
      closed.get(1, TimeUnit.MINUTES);
      Node again = nodes.open(3);
      again.handle(Text.class, Dispatch.INLINE, (text, exchange) -> texts.add(text.text()));
      Thread other = asks.get(1, TimeUnit.MINUTES);
      sender.interrupt();
      await("the next message", () -> texts.contains("after that"));
      answer.countDown();
      other.join();
      sender.join();
      one.send(3, new Text("last"));
      await("the last message", () -> texts.contains("last"));
      assertThat(texts).containsExactly("after that", "last");
    } finally {
      answer.countDown();
      handle.countDown();
    }
  }

  private static void awaitWhateverComes(CountDownLatch latch) {
    boolean done = false;
    while (!done) {
      try {
        latch.await();
        done = true;
      } catch (InterruptedException e) {
        // what runs here is of somebody who does not care for interrupts
      }
    }
  }

  @Test
  void shouldSayThatTheNodeIsClosed() {
    Node one = nodes.open(1);
    receiver(2, 1 << 20);
    one.close();
    assertThatThrownBy(() -> one.send(Set.of(2), new Text("late")))
        .isInstanceOf(NodeClosedException.class)
        .hasMessageContaining("nodeId=1");
  }

  @Test
  void shouldTellAnInlineHandlerWhereItWouldHaveToWait() throws Exception {
    Node one = nodes.open(1);
    receiver(2, 1 << 20);
    receiver(3, 1 << 20);
    one.send(2, new Text("connects"));
    CompletableFuture<MulticastResult> result = new CompletableFuture<>();
    one.handle(
        Go.class,
        Dispatch.INLINE,
        (go, exchange) -> {
          try {
            result.complete(one.send(Set.of(2, 3), new Text("to both")));
          } catch (RuntimeException e) {
            result.completeExceptionally(e);
          }
        });
    nodes.open(4).send(1, new Go(2));
    assertThat(result.get(30, TimeUnit.SECONDS).statuses())
        .containsEntry(2, SendStatus.ACCEPTED)
        .containsEntry(3, SendStatus.NOT_CONNECTED);
    await("the one that was connected", () -> receivers.size() == 2);
  }
}
