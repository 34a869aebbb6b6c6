package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.CloseReport;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.SendStatus;
import org.ringwire.engine.services.Transports;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.ForwardingTransport;
import org.ringwire.transport.TransportProvider;

/** The end of a node whose transport takes its time. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors({"on purpose", "InterruptedException"})
class ShutdownTest {

  /** Longer than threads get after the deadline. */
  private static final Duration SLOW = Duration.ofMillis(2500);

  /** What threads get after the deadline. */
  private static final long TIME_NS = TimeUnit.SECONDS.toNanos(2);

  private static final Duration LATER = Duration.ofMillis(300);

  private final TestNodes nodes = new TestNodes("tcp");
  private final CountDownLatch transportClosed = new CountDownLatch(1);
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicLong closedNs = new AtomicLong();

  record Work(long number) {}

  /** TCP, but the close takes longer than a node waits for its threads. */
  private TransportProvider slow() {
    return ForwardingTransport.provider(
        "tcp",
        config ->
            new ForwardingTransport(Transports.named("tcp").open(config)) {
              @Override
              public void close() {
                super.close();
                pass(SLOW);
                closedNs.set(System.nanoTime());
                transportClosed.countDown();
              }
            });
  }

  /** TCP, but whatever ends it fails once it is done. */
  private static TransportProvider failing() {
    return ForwardingTransport.provider(
        "tcp",
        config ->
            new ForwardingTransport(Transports.named("tcp").open(config)) {
              @Override
              public void stopListening() {
                super.stopListening();
                throw new IllegalStateException("stopped on purpose");
              }

              @Override
              public void close() {
                super.close();
                throw new AssertionError("closed on purpose");
              }
            });
  }

  /** TCP, but there is no heap at first for what ends it, and no more is done than that is seen. */
  private TransportProvider starved() {
    AtomicInteger stops = new AtomicInteger();
    AtomicInteger closes = new AtomicInteger();
    return ForwardingTransport.provider(
        "tcp",
        config ->
            new ForwardingTransport(Transports.named("tcp").open(config)) {
              @Override
              public void stopListening() {
                starve(stops);
                super.stopListening();
                stopped.set(true);
              }

              @Override
              public void close() {
                starve(closes);
                super.close();
                transportClosed.countDown();
              }
            });
  }

  private static void starve(AtomicInteger calls) {
    if (calls.getAndIncrement() < 2) {
      throw new OutOfMemoryError("as this test wants it");
    }
  }

  private static void pass(Duration time) {
    long endNs = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - endNs < 0) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @AfterEach
  void end() {
    nodes.close();
  }

  /** Its threads and links would stay for as long as the process lives. */
  @Test
  void shouldEndTheTransportOnceThereIsHeapForThat() {
    Node node =
        nodes.added(
            MessagingNode.open(nodes.builder(5).listen("127.0.0.1:0").build(), 1, starved()));
    node.close(PATIENCE);
    assertThat(transportClosed.getCount()).isZero();
    assertThat(stopped).isTrue();
  }

  /** An interrupt ends no more than the wait that it hits: nothing is left behind. */
  @Test
  void shouldEndAllThreadsThoughTheOneThatClosesIsInterrupted() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Node node = nodes.open(7);
    node.handle(
        Work.class,
        Dispatch.POOLED,
        (work, exchange) -> {
          began.countDown();
          boolean _ = goOn.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        });
    nodes.open(8).send(7, new Work(1));
    assertThat(began.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    AtomicBoolean stillInterrupted = new AtomicBoolean();
    long beganNs = System.nanoTime();
    Thread closing =
        Thread.ofPlatform()
            .start(() -> {
              node.close(Duration.ofMillis(1)); // threads get two seconds
              stillInterrupted.set(Thread.currentThread().isInterrupted());
            });
    await("its threads end", () -> threads("ringwire-7-flusher").isEmpty());
    while (closing.isAlive() && closing.getState() != Thread.State.TIMED_WAITING) {
      LockSupport.parkNanos(1_000_000);
    }
    closing.interrupt();
    boolean inTime = System.nanoTime() - beganNs < TIME_NS; // else it may have ended before
    goOn.countDown();
    assertThat(closing.join(PATIENCE)).isTrue();
    assertThat(stillInterrupted.get() || !inTime).isTrue();
    await("nothing is left", () -> threads("ringwire-7-").isEmpty());
  }

  private static List<String> threads(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith(prefix))
        .toList();
  }

  /** However long the transport's close took: what is still at work afterwards has its time. */
  @Test
  void shouldGiveHandlersTheirTimeAfterASlowCloseOfTheTransport() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    AtomicBoolean ended = new AtomicBoolean();
    AtomicReference<String> wrong = new AtomicReference<>();
    Node node =
        nodes.added(MessagingNode.open(nodes.builder(1).listen("127.0.0.1:0").build(), 1, slow()));
    node.handle(
        Work.class,
        Dispatch.POOLED,
        (work, exchange) -> {
          began.countDown();
          try {
            if (!transportClosed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
              wrong.set("the transport was not closed");
            }
            TimeUnit.NANOSECONDS.sleep(LATER.toNanos());
            ended.set(true);
          } catch (InterruptedException e) {
            if (transportClosed.getCount() > 0 || System.nanoTime() - closedNs.get() < TIME_NS) {
              wrong.set("the handler was interrupted");
            } else {
              ended.set(true); // it had its time, and did not run in it
            }
          }
        });
    nodes.open(2).send(1, new Work(1));
    assertThat(began.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    node.close(Duration.ofMillis(1));
    assertThat(wrong.get()).isNull();
    assertThat(ended).isTrue();
  }

  /** What is delivered in the end, nobody knows before: so nobody may take it for delivered. */
  @Test
  void shouldNotTakeForCleanWhatAnotherThreadStillCloses() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    Node node = nodes.open(1);
    nodes
        .open(2)
        .handle(
            Work.class,
            Dispatch.BLOCKING,
            (work, exchange) -> {
              boolean _ = goOn.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            });
    node.send(2, new Work(1));
    CompletableFuture<CloseReport> closing =
        CompletableFuture.supplyAsync(() -> node.close(PATIENCE));
    await("it closes", () -> node.trySend(2, new Work(2)) == SendStatus.CLOSED);
    CloseReport early = node.close(Duration.ofMillis(20));
    boolean overBefore = closing.isDone();
    goOn.countDown();
    CloseReport last = closing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(overBefore).isFalse();
    assertThat(early.isClean()).as("%s", early).isFalse();
    assertThat(early.isComplete()).isFalse();
    assertThat(last.isClean()).as("%s", last).isTrue();
    assertThat(last.isComplete()).isTrue();
    assertThat(node.close(PATIENCE)).isEqualTo(last);
  }

  private static CompletableFuture<Void> started(Runnable call) {
    return CompletableFuture.runAsync(call, Thread::startVirtualThread);
  }

  /** It is not the other node that cannot be reached. */
  @Test
  void shouldTellWhoWaitsForAConnectionThatItsOwnNodeWasClosed() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + mute.getLocalPort();
      Node node = nodes.added(Node.open(nodes.builder(1).connectTimeout(PATIENCE).build()));
      nodes.directory().put(2, address);
      List<CompletableFuture<?>> waiting =
          List.of(
              started(() -> node.send(2, new Work(1))),
              started(() -> node.request(2, new Work(2), Work.class, PATIENCE)),
              node.requestAsync(2, new Work(3), Work.class),
              started(() -> node.connect(address, PATIENCE)));
      try (Socket _ = mute.accept(); // by id, and by address
          Socket _ = mute.accept()) {
        node.close(Duration.ofMillis(1));
      }
      for (CompletableFuture<?> each : waiting) {
        assertThatThrownBy(() -> each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
            .hasCauseInstanceOf(NodeClosedException.class);
      }
    }
  }

  @Test
  void shouldEndEverythingElseThoughTheTransportFailsToEnd() {
    Node node = MessagingNode.open(nodes.builder(9).listen("127.0.0.1:0").build(), 1, failing());
    node.close(PATIENCE);

    await("nothing is left", () -> threads("ringwire-9-").isEmpty());
  }
}
