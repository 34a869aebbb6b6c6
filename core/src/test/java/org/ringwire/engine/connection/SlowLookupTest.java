package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.CloseReport;
import org.ringwire.Dispatch;
import org.ringwire.Exchange;
import org.ringwire.MulticastResult;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeUnreachableException;
import org.ringwire.SendStatus;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.engine.services.Lookups;
import org.ringwire.engine.services.Transports;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.ForwardingTransport;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;

/**
 * Where a peer is takes long to find out, as a name server answers slowly. Meanwhile the one thread
 * that reads all links has other things to do.
 */
@ExtendWith(NodeWatcher.class)
class SlowLookupTest {

  record Ask(long number) {}

  record Tell(int nodeId) {}

  record Status(SendStatus status) {}

  /** Nodes that nobody has opened, where node 3 is. */
  private static final int FIRST = 10;

  private static final int MANY = 150;

  private final TestNodes nodes = new TestNodes("tcp");
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch answer = new CountDownLatch(1);
  private final Set<Integer> told = ConcurrentHashMap.newKeySet();
  private boolean saysSo = true; // that it may wait for the name server

  @AfterEach
  void end() {
    answer.countDown();
    nodes.close();
  }

  /** Whoever must know waits here, as long as the test likes. */
  private void lookUp() {
    asked.countDown();
    boolean interrupted = false;
    while (answer.getCount() > 0) {
      try {
        answer.await();
      } catch (InterruptedException e) {
        interrupted = true; // a name server knows of none
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks a name server where node 3 is. */
  private final class Resolving extends ForwardingTransport {

    Resolving(Transport real) {
      super(real);
    }

    @Override
    public boolean mayLookUp(String address) {
      return saysSo && address.equals(nodes.directory().address(3));
    }

    @Override
    public void connect(String address, LinkHandler handler) {
      if (address.equals(nodes.directory().address(3))) {
        lookUp();
      }
      super.connect(address, handler);
    }
  }

  private Node open(NodeDirectory directory) {
    return open(directory, settings -> settings);
  }

  private Node open(NodeDirectory directory, UnaryOperator<NodeConfig.Builder> more) {
    Node one =
        nodes.open(
            1,
            settings -> more.apply(settings.peers(directory).ioThreads(1).connectTimeout(PATIENCE)),
            ForwardingTransport.provider(
                "tcp", settings -> new Resolving(Transports.named("tcp").open(settings))));
    one.handle(Ask.class, Dispatch.INLINE, SlowLookupTest::answer);
    return one;
  }

  private static void answer(Ask ask, Exchange exchange) {
    exchange.reply(ask);
  }

  private void assertThatOthersGoOn(NodeDirectory directory) throws Exception {
    open(directory);
    Node two = nodes.open(2);
    Node three = nodes.open(3, settings -> settings.connectTimeout(PATIENCE));
    assertThat(two.request(1, new Ask(1), Ask.class, PATIENCE)).isEqualTo(new Ask(1));
    CompletableFuture<Ask> late = three.requestAsync(1, new Ask(2), Ask.class, PATIENCE);
    assertThat(asked.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

    assertThat(two.request(1, new Ask(3), Ask.class, PATIENCE)).isEqualTo(new Ask(3));
    Node four = nodes.open(4);
    assertThat(four.request(1, new Ask(4), Ask.class, PATIENCE)).isEqualTo(new Ask(4));
    assertThat(late.isDone()).isFalse();
    answer.countDown();
    assertThat(late.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(new Ask(2));
  }

  @Test
  void shouldKeepNoOtherPeerWaitingForANameServer() throws Exception {
    assertThatOthersGoOn(nodes.directory());
  }

  /** That a handler on the reading thread has asked. */
  @Test
  void shouldKeepNoPeerWaitingForWhomAHandlerSendsTo() throws Exception {
    Node one = open(nodes.directory());
    one.handle(
        Tell.class,
        Dispatch.INLINE,
        (tell, exchange) -> exchange.reply(new Status(one.trySend(tell.nodeId(), new Ask(1)))));
    Node two = nodes.open(2);
    nodes.open(3);
    for (int round = 0; round < 2; round++) {
      assertThat(two.request(1, new Tell(3), Status.class, PATIENCE))
          .isEqualTo(new Status(SendStatus.NOT_CONNECTED));
      assertThat(asked.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
    answer.countDown();
    await("the connection", () -> one.trySend(3, new Ask(1)) == SendStatus.ACCEPTED);
  }

  /** What calls do, on a thread that the test does not lose to the name server. */
  private static <T> CompletableFuture<T> call(Supplier<T> what) {
    return CompletableFuture.supplyAsync(what, task -> Thread.ofPlatform().daemon().start(task));
  }

  private static <T> T soon(CompletableFuture<T> future) throws Exception {
    return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void shouldNotLetWhoNeverWaitsWaitForANameServer() throws Exception {
    Node one = open(nodes.directory());
    nodes.open(3);
    assertThat(soon(call(() -> one.trySend(3, new Ask(1))))).isEqualTo(SendStatus.NOT_CONNECTED);
    assertThat(asked.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(soon(call(() -> one.whenWritable(3).isDone()))).isFalse();
    answer.countDown();
    assertThat(soon(one.whenWritable(3))).isNull();
    assertThat(one.trySend(3, new Ask(1))).isEqualTo(SendStatus.ACCEPTED);
  }

  @Test
  void shouldEndCallsInTimeThoughANameServerDoesNotAnswer() throws Exception {
    Node one = open(nodes.directory());
    nodes.open(3);
    String address = nodes.directory().address(3);
    Duration little = Duration.ofMillis(100);
    assertThat(failure(() -> one.request(3, new Ask(1), Ask.class, little)))
        .isInstanceOf(NodeUnreachableException.class);
    assertThat(
            failure(() -> {
              one.send(3, new Ask(1), Duration.ZERO);
              return null;
            }))
        .isInstanceOf(NodeUnreachableException.class);
    assertThat(failure(() -> one.connect(address, little)))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining(address);
    answer.countDown();
    assertThat(one.connect(address, PATIENCE)).isEqualTo(3);
  }

  /** More than there are threads for it, and than may be in their handshake at a time. */
  @Test
  void shouldLetNoCallWaitForANameServerHoweverManyNamesAreLookedUp() throws Exception {
    Node one = open(nodes.directory(), settings -> settings.maxHandshakes(1));
    nodes.open(3);
    String address = Objects.requireNonNull(nodes.directory().address(3));
    askAll(one, address);
    assertThat(failure(() -> one.connect(address, Duration.ofMillis(100))))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining("no answer in time");
    answer.countDown();
    await("the end of all", () -> one.metrics().connectFailures() == MANY);
    assertThat(one.connect(address, PATIENCE)).isEqualTo(3);
  }

  /** Else more and more would wait, as long as a name server does not answer. */
  @Test
  void shouldLetNothingWaitForANameServerThatNobodyWantsAnyMore() throws Exception {
    Node one = open(nodes.directory());
    nodes.open(3);
    String address = Objects.requireNonNull(nodes.directory().address(3));
    askAll(one, address);
    Lookups lookups = ((MessagingNode) one).connections().services().lookups();
    int waiting = lookups.waiting();
    assertThat(waiting).isPositive();
    assertThat(failure(() -> one.connect(address, Duration.ofMillis(100))))
        .isInstanceOf(NodeUnreachableException.class);
    assertThat(lookups.waiting()).as("without who has asked for an address").isEqualTo(waiting);

    for (int id = FIRST; id < FIRST + MANY; id++) {
      nodes.directory().put(id, "127.0.0.1:1"); // so that the attempts are broken off
    }

    await("that nothing waits", () -> lookups.waiting() == 0);
    await("the end of all", () -> one.metrics().connectFailures() == MANY);
  }

  private void askAll(Node one, String address) throws Exception {
    for (int id = FIRST; id < FIRST + MANY; id++) {
      nodes.directory().put(id, address);
    }
    for (int id = FIRST; id < FIRST + MANY; id++) {
      int to = id;
      assertThat(soon(call(() -> one.trySend(to, new Ask(1)))))
          .as("to node %d", id)
          .isEqualTo(SendStatus.NOT_CONNECTED);
    }
  }

  private static @Nullable Throwable failure(Supplier<?> what) throws Exception {
    return soon(call(what).handle((result, failure) -> failure.getCause()));
  }

  private void assertThatAMulticastIsNotHeldUp() throws Exception {
    Node one = open(nodes.directory());
    for (int id = 2; id <= 3; id++) {
      int own = id;
      nodes.open(id).handle(Tell.class, (tell, exchange) -> told.add(own));
    }
    one.send(2, new Ask(1));
    CompletableFuture<MulticastResult> result =
        call(() -> one.send(new TreeSet<>(Set.of(2, 3)).descendingSet(), new Tell(1)));
    await("who is connected", () -> told.contains(2));
    assertThat(result.isDone()).isFalse();
    assertThat(told).doesNotContain(3);
    answer.countDown();
    assertThat(soon(result).statuses().values()).containsOnly(SendStatus.ACCEPTED);
    await("the other one", () -> told.contains(3));
  }

  @Test
  void shouldSendToOthersWhileANameServerIsAskedForOneOfThem() throws Exception {
    assertThatAMulticastIsNotHeldUp();
  }

  /** A transport need not know that it asks a name server. */
  @Test
  void shouldSendToThoseWhoAreConnectedBeforeItConnects() throws Exception {
    saysSo = false;
    assertThatAMulticastIsNotHeldUp();
  }

  private static void assertThatItClosesAtOnce(Node node) throws Exception {
    CloseReport report = soon(call(() -> node.close(Duration.ofHours(1))));
    assertThat(report).matches(CloseReport::isClean);
  }

  /** Nothing was ever sent over an attempt that has no link. */
  @Test
  void shouldCloseWithoutTheNameServerThatAnAttemptWaitsFor() throws Exception {
    Node one = open(nodes.directory());
    nodes.open(3);
    assertThat(one.trySend(3, new Ask(1))).isEqualTo(SendStatus.NOT_CONNECTED);
    assertThat(asked.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThatItClosesAtOnce(one);
  }

  @Test
  void shouldCloseWithoutTheNameServerThatACallWaitsFor() throws Exception {
    Node one = open(nodes.directory());
    nodes.open(3);
    String address = nodes.directory().address(3);
    CompletableFuture<Integer> called = call(() -> one.connect(address, PATIENCE));
    assertThat(asked.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThatItClosesAtOnce(one);
    answer.countDown();
    assertThat(failure(called::join)).isInstanceOf(NodeClosedException.class);
  }
}
