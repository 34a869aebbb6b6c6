package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.BackPressureException;
import org.ringwire.ConnectionLostException;
import org.ringwire.EncodingException;
import org.ringwire.MemoryLimitException;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeUnreachableException;
import org.ringwire.RemoteHandlerException;
import org.ringwire.RequestTimeoutException;
import org.ringwire.RetainedExchange;
import org.ringwire.SendStatus;
import org.ringwire.WaitInterruptedException;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** Whether a request that has failed may be repeated: what its exception says is so. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors({"on purpose", "claim open for too long", "encode() took long"})
class MayBeHandledTest {

  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration TIME_TO_CONNECT = Duration.ofSeconds(2);
  private static final int PEER = 2;

  private final TestNodes nodes = new TestNodes("tcp");
  private final Queue<Ask> handled = new ConcurrentLinkedQueue<>();
  private final Queue<RetainedExchange> retained = new ConcurrentLinkedQueue<>();
  private final CountDownLatch release = new CountDownLatch(1);

  record Ask(long number) {}

  /** Another type, of which the peer has not heard when the ring is full. */
  record Unheard(long number) {}

  record Fill(long number) {}

  record Answer(long number) {}

  /** The two ways to make a request. */
  enum Way {
    REQUEST {
      @Override
      void ask(Node node, Object message, Duration timeout) {
        node.request(PEER, message, Answer.class, timeout);
      }
    },
    REQUEST_ASYNC {
      @Override
      void ask(Node node, Object message, Duration timeout) {
        node.requestAsync(PEER, message, Answer.class, timeout).join();
      }
    };

    abstract void ask(Node node, Object message, Duration timeout);

    /** What a request fails with. */
    MessagingException failure(Node node, Object message, Duration timeout) {
      try {
        ask(node, message, timeout);
      } catch (MessagingException e) {
        return e;
      } catch (CompletionException e) {
        if (e.getCause() instanceof MessagingException failure) {
          return failure;
        }
        throw e;
      }
      throw new AssertionError("the request was answered");
    }
  }

  /** Does as it is told, on this side or on the other. */
  private static final class AskCodec implements Codec<Ask> {
    private volatile @Nullable CountDownLatch encodes;
    private volatile boolean fails;
    private volatile boolean encoding;

    @Override
    public int length(Ask message) {
      if (fails) {
        throw new IllegalStateException("no length, on purpose");
      }
      return Long.BYTES;
    }

    @Override
    public void encode(Ask message, Writer writer) {
      CountDownLatch latch = encodes;
      encoding = true;
      if (latch != null) {
        awaitRelease(latch);
      }
      writer.putLong(message.number());
    }

    @Override
    public Ask decode(Reader reader) {
      long number = reader.getLong();
      if (number < 0) {
        throw new IllegalStateException("does not decode, on purpose");
      }
      return new Ask(number);
    }
  }

  private final AskCodec codec = new AskCodec();

  @AfterEach
  void close() {
    MemoryBudget.limit(Long.MAX_VALUE);
    release.countDown();
    retained.forEach(RetainedExchange::close);
    nodes.close();
    retained.forEach(RetainedExchange::close); // of requests that nobody has waited for
  }

  private static void awaitRelease(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static <T> CompletableFuture<T> later(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, task -> Thread.ofPlatform().daemon().start(task));
  }

  private Node open() {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(Ask.class, codec);
    return nodes.open(1, settings -> settings.catalog(catalog).maxRequests(2));
  }

  /** A node that keeps requests without an answer. */
  private Node openPeer() {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(Ask.class, codec);
    Node peer = nodes.open(PEER, settings -> settings.catalog(catalog).window(65_536, 65_536));
    peer.handle(
        Ask.class,
        (ask, exchange) -> {
          retained.add(exchange.retain()); // first: who sees that it was handled may end the test
          handled.add(ask);
        });
    return peer;
  }

  /** No message more finds room on the way to the peer until that is released. */
  private void fill(Node node, Node peer) {
    peer.handle(Fill.class, (fill, exchange) -> awaitRelease(release));
    node.send(PEER, new Fill(0));
    SendStatus status;
    do {
      status = node.trySend(PEER, new Fill(1));
    } while (status == SendStatus.ACCEPTED);
    assertThat(status).isEqualTo(SendStatus.BACK_PRESSURED);
  }

  private static void assertNotHandled(
      MessagingException failure, Class<? extends MessagingException> type) {
    assertThat(failure).isInstanceOf(type);
    assertThat(failure.mayBeHandled()).as("%s", failure).isFalse();
  }

  private static void assertMayBeHandled(
      MessagingException failure, Class<? extends MessagingException> type) {
    assertThat(failure).isInstanceOf(type);
    assertThat(failure.mayBeHandled()).as("%s", failure).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayThatARequestFoundNoRoomInTime(Way way) {
    Node one = open();
    Node two = openPeer();
    fill(one, two);
    for (Object message : new Object[] {new Ask(1), new Unheard(1)}) {
      MessagingException failure = way.failure(one, message, SHORT);
      assertNotHandled(failure, RequestTimeoutException.class);
    }
    release.countDown();
    assertThat(one.requestAsync(PEER, new Ask(2), Answer.class)).isNotDone();
    await("the next request", () -> !handled.isEmpty());
    assertThat(handled).as("not the one before").containsExactly(new Ask(2));
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayThatARequestMayBeHandledOfWhichNoAnswerCame(Way way) {
    Node one = open();
    Node two = openPeer();
    one.connect(String.valueOf(two.address()), PATIENCE); // in its time
    assertMayBeHandled(
        way.failure(one, new Ask(1), Duration.ofMillis(500)), RequestTimeoutException.class);
    await("it was handled", () -> handled.contains(new Ask(1)));
  }

  /** A thread that encodes cannot say whether it will be sent: others say that it may be. */
  @Test
  void shouldEndARequestInTimeThatIsStillEncoded() {
    codec.encodes = release;
    Node one = open();
    openPeer();
    MessagingException failure = Way.REQUEST_ASYNC.failure(one, new Ask(1), TIME_TO_CONNECT);
    assertMayBeHandled(failure, RequestTimeoutException.class);
    assertThat(one.metrics().connectionsLost()).as("it was not ended by that").isZero();
    release.countDown();
    await("it was sent nevertheless", () -> handled.contains(new Ask(1)));
  }

  @Test
  void shouldSayThatARequestMayBeHandledThatWasEncodedTooLate() {
    codec.encodes = release;
    Node one = open();
    Node two = openPeer();
    one.connect(String.valueOf(two.address()), PATIENCE);
    CompletableFuture<MessagingException> failure =
        later(() -> Way.REQUEST.failure(one, new Ask(1), Duration.ZERO));
    await("it is encoded", () -> codec.encoding);
    release.countDown();
    assertMayBeHandled(failure.join(), RequestTimeoutException.class);
    await("it was handled", () -> handled.contains(new Ask(1)));
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayThatARequestFoundNoConnection(Way way) throws Exception {
    Node one = open();
    assertNotHandled(way.failure(one, new Ask(1), PATIENCE), NodeUnreachableException.class);
    try (StoppedPeer stopped = new StoppedPeer()) {
      nodes.directory().put(PEER, stopped.address());
      assertNotHandled(way.failure(one, new Ask(2), SHORT), NodeUnreachableException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayThatARequestMayBeHandledWhoseConnectionIsLost(Way way) throws Exception {
    Node one = open();
    Node two = openPeer();
    CompletableFuture<MessagingException> failure;
    try (StoppedPeer between = new StoppedPeer()) {
      between.resume(String.valueOf(two.address()));
      nodes.directory().put(PEER, between.address());
      failure = later(() -> way.failure(one, new Ask(1), PATIENCE));
      await("it is handled", () -> handled.contains(new Ask(1)));
    }
    assertMayBeHandled(failure.join(), ConnectionLostException.class);
  }

  /** Of a thread that waits itself: whoever ends a future cannot look into who sends for it. */
  @Test
  void shouldSayThatARequestWaitedForRoomWhenItsConnectionWasLost() throws Exception {
    Node one = open();
    Node two = openPeer();
    CompletableFuture<MessagingException> failure;
    try (StoppedPeer between = new StoppedPeer()) {
      between.resume(String.valueOf(two.address()));
      nodes.directory().put(PEER, between.address());
      fill(one, two);
      failure = later(() -> Way.REQUEST.failure(one, new Ask(1), PATIENCE));
      await(
          "it waits for room", () -> one.metrics().connections().getFirst().waitingSenders() == 1);
    }
    assertNotHandled(failure.join(), ConnectionLostException.class);
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayThatThereAreTooManyRequests(Way way) {
    Node one = open();
    openPeer();
    CompletableFuture<Answer> _ = one.requestAsync(PEER, new Ask(1), Answer.class);
    CompletableFuture<Answer> _ = one.requestAsync(PEER, new Ask(2), Answer.class);
    await("they are handled", () -> handled.size() == 2);
    assertNotHandled(way.failure(one, new Ask(3), PATIENCE), BackPressureException.class);
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayWhetherARequestWasUnderWayWhenItsNodeWasClosed(Way way) {
    Node one = open();
    openPeer();
    CompletableFuture<MessagingException> failure =
        later(() -> way.failure(one, new Ask(1), PATIENCE));
    await("it is handled", () -> handled.contains(new Ask(1)));
    one.close(Duration.ZERO);
    assertMayBeHandled(failure.join(), NodeClosedException.class);
    assertNotHandled(way.failure(one, new Ask(2), PATIENCE), NodeClosedException.class);
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayWhetherAHandlerWasCalled(Way way) {
    Node one = open();
    Node two = openPeer();
    two.handle(
        Fill.class,
        (fill, exchange) -> {
          throw new IllegalStateException("on purpose");
        });
    two.handle(Answer.class, (answer, exchange) -> {});
    assertNotHandled(way.failure(one, new Unheard(1), PATIENCE), RemoteHandlerException.class);
    assertNotHandled(way.failure(one, new Ask(-1), PATIENCE), RemoteHandlerException.class);
    assertMayBeHandled(way.failure(one, new Fill(1), PATIENCE), RemoteHandlerException.class);
    assertMayBeHandled(way.failure(one, new Answer(1), PATIENCE), RemoteHandlerException.class);
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayThatARequestWasHandledWhoseAnswerIsNoUse(Way way) {
    Node one = open();
    nodes.open(PEER).handle(Fill.class, (fill, exchange) -> exchange.reply(fill));
    assertMayBeHandled(way.failure(one, new Fill(1), PATIENCE), MessagingException.class);
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayThatARequestCouldNotBeEncoded(Way way) {
    Node one = open();
    openPeer();
    codec.fails = true;
    assertNotHandled(way.failure(one, new Ask(1), PATIENCE), EncodingException.class);
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayThatThereWasNoMemoryForARequest(Way way) {
    Node one = open();
    openPeer();
    MemoryBudget.limit(MemoryBudget.committed());
    assertNotHandled(way.failure(one, new Ask(1), PATIENCE), MemoryLimitException.class);
  }

  @Test
  void shouldSayWhatAnInterruptHasEnded() throws Exception {
    Node one = open();
    try (StoppedPeer stopped = new StoppedPeer()) {
      nodes.directory().put(PEER, stopped.address());
      assertNotHandled(interrupted(one, new Ask(1)), WaitInterruptedException.class);
      Node two = openPeer();
      stopped.resume(String.valueOf(two.address()));
      one.connect(String.valueOf(two.address()), PATIENCE);
      assertMayBeHandled(interrupted(one, new Ask(2)), WaitInterruptedException.class);
      await("it was handled", () -> handled.contains(new Ask(2)));
      fill(one, two);
      assertNotHandled(interrupted(one, new Ask(3)), WaitInterruptedException.class);
    }
  }

  /** Whom it has not waited for may have it, whether one is left to wait for or several. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void shouldSayThatOthersMayHaveWhatWasSentToSeveral(int last) throws Exception {
    Node one = open();
    Node two = openPeer();
    one.connect(String.valueOf(two.address()), PATIENCE);
    try (StoppedPeer stopped = new StoppedPeer()) {
      Set<Integer> receivers = new TreeSet<>(Set.of(PEER));
      for (int id = PEER + 1; id <= last; id++) {
        nodes.directory().put(id, stopped.address());
        receivers.add(id);
      }
      Thread.currentThread().interrupt();
      WaitInterruptedException failure =
          catchThrowableOfType(
              WaitInterruptedException.class, () -> one.send(receivers, new Ask(1)));
      assertThat(Thread.interrupted()).isTrue();
      assertMayBeHandled(failure, WaitInterruptedException.class);
      await("it was handled", () -> handled.contains(new Ask(1)));
    }
  }

  private static MessagingException interrupted(Node node, Object message) {
    Thread.currentThread().interrupt(); // before it waits, which is as good
    MessagingException failure = Way.REQUEST.failure(node, message, PATIENCE);
    assertThat(Thread.interrupted()).isTrue();
    return failure;
  }
}
