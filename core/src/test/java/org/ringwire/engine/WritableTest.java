package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeUnreachableException;
import org.ringwire.SendStatus;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;

/** Who may not wait is told when to try again, whatever the reason was, and never on a reader. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("a long message of a peer waits")
class WritableTest {

  record Numbered(int pump, int number) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Block(byte[] bytes) {}

  private final TestNodes nodes = new TestNodes("tcp");

  @AfterEach
  void end() {
    MemoryBudget.limit(Long.MAX_VALUE);
    nodes.close();
  }

  private static void get(CompletableFuture<Void> future) throws Exception {
    future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** Sends messages without ever waiting. */
  private static final class Pump {
    private final Node node;
    private final int count;
    private final Set<String> threads;
    private final IntFunction<Object> messages;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final AtomicInteger refusals = new AtomicInteger();
    private int next;

    Pump(Node node, int count, Set<String> threads, IntFunction<Object> messages) {
      this.node = node;
      this.count = count;
      this.threads = threads;
      this.messages = messages;
    }

    void run() {
      threads.add(Thread.currentThread().getName());
      try {
        while (next < count) {
          if (node.trySend(1, messages.apply(next)) != SendStatus.ACCEPTED) {
            refusals.incrementAndGet();
            CompletableFuture<Void> _ =
                node.whenWritable(1)
                    .whenComplete((nothing, failure) -> {
                      if (failure == null) {
                        run();
                      } else {
                        done.completeExceptionally(failure);
                      }
                    });
            return;
          }
          next++;
        }
        done.complete(null);
      } catch (RuntimeException | Error e) {
        done.completeExceptionally(e);
      }
    }
  }

  /** Goes on in what depends on the hint, again and again, as one that is refused each time. */
  private static final class Refused {
    private static final int DEEPEST = 500; // ends long before the stack does

    private final Node node;
    private final int[] peers;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final ThreadLocal<AtomicInteger> depth = ThreadLocal.withInitial(AtomicInteger::new);
    private int left;

    Refused(Node node, int times, int... peers) {
      this.node = node;
      this.peers = peers;
      left = times;
    }

    void run() {
      AtomicInteger nested = depth.get();
      if (nested.incrementAndGet() > DEEPEST) {
        done.completeExceptionally(new AssertionError("nests without bound"));
      } else if (left == 0) {
        done.complete(null);
      } else {
        left--;
        CompletableFuture<Void> _ =
            CompletableFuture.anyOf(
                    IntStream.of(peers)
                        .mapToObj(node::whenWritable)
                        .toArray(CompletableFuture<?>[]::new))
                .thenRun(this::run);
      }
      nested.decrementAndGet();
    }
  }

  /** As with long messages within a process: each is granted while it is refused. */
  @Test
  void shouldNotNestWithoutBoundWhereThereIsRoomAlready() throws Exception {
    nodes.open(1);
    Node sender = nodes.open(2);
    get(sender.whenWritable(1));
    Refused refused = new Refused(sender, 100_000, 1);

    refused.run();

    get(refused.done);
  }

  /** One of two is always there before the other. */
  @Test
  void shouldNotNestWithoutBoundWhereOneOfTwoNodesHasRoom() throws Exception {
    nodes.open(1);
    nodes.open(3);
    Node sender = nodes.open(2);
    get(sender.whenWritable(1));
    get(sender.whenWritable(3));
    Refused refused = new Refused(sender, 100_000, 1, 3);

    refused.run();

    get(refused.done);
  }

  @ParameterizedTest
  @ValueSource(ints = {64 << 10, 1 << 20})
  void shouldNeverForgetAPumpThatWaitsForRoom(int ring) throws Exception {
    int pumps = 4;
    int count = 60_000;
    Node receiver = nodes.open(1, settings -> settings.window(4 << 10, 16 << 10));
    int[] seen = new int[pumps];
    AtomicInteger disorder = new AtomicInteger();
    AtomicLong total = new AtomicLong();
    receiver.handle(
        Numbered.class,
        Dispatch.POOLED.inOrder(),
        (numbered, exchange) -> {
          if (seen[numbered.pump()]++ != numbered.number()) {
            disorder.incrementAndGet();
          }
          total.incrementAndGet();
        });
    Node sender = nodes.open(2, settings -> settings.ringCapacity(ring));
    Set<String> threads = ConcurrentHashMap.newKeySet();
    List<Pump> all = new ArrayList<>();
    for (int index = 0; index < pumps; index++) {
      int id = index;
      Pump pump = new Pump(sender, count, threads, number -> new Numbered(id, number));
      all.add(pump);
      Thread.ofPlatform().name("starter").start(pump::run).join();
    }
    for (Pump pump : all) {
      get(pump.done);
    }
    await("all handled", () -> total.get() == (long) pumps * count);
    assertThat(disorder).hasValue(0);
    assertThat(all.stream().mapToInt(pump -> pump.refusals.get()).sum()).isGreaterThan(100);
    assertThat(threads).allMatch(name -> name.equals("starter") || name.contains("-handler-"));
  }

  /** Each message needs a grant, which is there when its pump is told, whatever others ask for. */
  @Test
  void shouldNeverForgetAPumpHoweverManyLengthsAreSent() throws Exception {
    int pumps = 60;
    int count = 10;
    Node receiver = nodes.open(1, settings -> settings.window(64 << 10, 64 << 10));
    AtomicInteger received = new AtomicInteger();
    receiver.handle(Block.class, (block, exchange) -> received.incrementAndGet());
    Node sender = nodes.open(2);
    sender.send(1, new Block(new byte[1]));
    List<Pump> all = new ArrayList<>();
    for (int index = 0; index < pumps; index++) {
      Block block = new Block(new byte[(40 << 10) + 8 * index]);
      all.add(new Pump(sender, count, ConcurrentHashMap.newKeySet(), _ -> block));
    }
    all.forEach(Pump::run);
    for (Pump pump : all) {
      get(pump.done);
    }
    await("all handled", () -> received.get() == 1 + pumps * count);
    int refusals = all.stream().mapToInt(pump -> pump.refusals.get()).sum();
    assertThat(refusals).as("attempts in vain").isLessThan(5 * pumps * count);
  }

  @Test
  void shouldTellOfRoomAsSoonAsTheReceiverMakesSome() throws Exception {
    Node receiver = nodes.open(1);
    Semaphore permits = new Semaphore(0);
    receiver.handle(
        Block.class,
        Dispatch.POOLED.inOrder(),
        (block, exchange) -> assertThat(permits.tryAcquire(60, TimeUnit.SECONDS)).isTrue());
    Node sender = nodes.open(2);
    sender.send(1, new Block(new byte[1]));
    int accepted = 1;
    while (sender.trySend(1, new Block(new byte[1000])) == SendStatus.ACCEPTED) {
      accepted++;
    }
    List<CompletableFuture<Void>> futures = new ArrayList<>();
    for (int count = 0; count < 5; count++) {
      futures.add(sender.whenWritable(1));
    }
    CompletableFuture<Void> unwanted = sender.whenWritable(1);
    unwanted.cancel(false);
    assertThat(futures).noneMatch(CompletableFuture::isDone);
    permits.release(accepted);
    for (CompletableFuture<Void> future : futures) {
      get(future);
    }
    assertThat(sender.trySend(1, new Block(new byte[1000]))).isEqualTo(SendStatus.ACCEPTED);
    permits.release(1);
    get(sender.whenWritable(1)); // there is room
  }

  @Test
  void shouldTellOfTheGrantOfALongMessage() throws Exception {
    Node receiver = nodes.open(1);
    CountDownLatch received = new CountDownLatch(1);
    receiver.handle(Block.class, (block, exchange) -> received.countDown());
    Node sender = nodes.open(2);
    Block block = new Block(new byte[5 << 20]);
    int attempts = 0;
    while (sender.trySend(1, block) != SendStatus.ACCEPTED) {
      get(sender.whenWritable(1));
      assertThat(++attempts).as("attempts: no busy waiting").isLessThan(50);
    }
    assertThat(received.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldTellOfRoomForAShortMessageThoughAnotherThreadWaitsForAGrant() throws Exception {
    Duration never = Duration.ofHours(1); // rests then, and gives back what a grant needs
    Node receiver = nodes.open(1, settings -> settings.window(64 << 10, 64 << 10).idleTime(never));
    CountDownLatch hold = new CountDownLatch(1);
    receiver.handle(
        Block.class, (block, exchange) -> assertThat(hold.await(60, TimeUnit.SECONDS)).isTrue());
    Node sender = nodes.open(2, settings -> settings.idleTime(never));
    sender.send(1, new Block(new byte[1]));
    fill(sender);
    CompletableFuture<Void> room = sender.whenWritable(1);
    assertThat(room).isNotDone();
    MemoryBudget.limit(MemoryBudget.committed()); // so that the receiver grants nothing
    assertThat(sender.trySend(1, new Block(new byte[40 << 10])))
        .isEqualTo(SendStatus.BACK_PRESSURED);
    hold.countDown();
    get(room);
    assertThat(sender.trySend(1, new Block(new byte[1000]))).isEqualTo(SendStatus.ACCEPTED);
  }

  @Test
  void shouldTellWhenAConnectionIsThereOrCannotBe() throws Exception {
    Node receiver = nodes.open(1);
    Queue<Integer> received = new ConcurrentLinkedQueue<>();
    receiver.handle(Numbered.class, (numbered, exchange) -> received.add(numbered.number()));
    Node sender = nodes.open(2);
    assertThat(sender.trySend(1, new Numbered(0, 1))).isEqualTo(SendStatus.NOT_CONNECTED);
    get(sender.whenWritable(1));
    assertThat(sender.trySend(1, new Numbered(0, 1))).isEqualTo(SendStatus.ACCEPTED);
    nodes.directory().put(3, "127.0.0.1:1"); // nobody listens
    SendStatus status = sender.trySend(3, new Numbered(0, 2));
    for (int attempt = 0; status == SendStatus.NOT_CONNECTED && attempt < 10; attempt++) {
      get(sender.whenWritable(3));
      status = sender.trySend(3, new Numbered(0, 2));
    }
    assertThat(status).isEqualTo(SendStatus.UNREACHABLE);
    Node late = nodes.open(3);
    late.handle(Numbered.class, (numbered, exchange) -> received.add(numbered.number()));
    for (int attempt = 0; status != SendStatus.ACCEPTED && attempt < 10; attempt++) {
      get(sender.whenWritable(3));
      status = sender.trySend(3, new Numbered(0, 2));
    }
    assertThat(status).isEqualTo(SendStatus.ACCEPTED);
    await("both", () -> received.size() == 2);
    assertThat(sender.trySend(4, new Numbered(0, 1))).isEqualTo(SendStatus.UNKNOWN_NODE);
    CompletableFuture<Void> unknown = sender.whenWritable(4);
    assertThatThrownBy(() -> get(unknown))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(NodeUnreachableException.class);
    assertThatThrownBy(() -> sender.whenWritable(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  /** On the thread that reads all links: were each looked for among the others, for minutes. */
  @Test
  void shouldTellHoweverManyWaitForAnAttempt() throws Exception {
    Node sender = nodes.open(2);
    List<CompletableFuture<Void>> all = new ArrayList<>();
    try (RawListener listener = RawListener.open(1, nodes.directory())) {
      assertThat(sender.trySend(1, new Numbered(0, 1))).isEqualTo(SendStatus.NOT_CONNECTED);
      try (RawPeer peer = listener.accept()) {
        for (int count = 0; count < 200_000; count++) {
          all.add(sender.whenWritable(1));
        }
        peer.await(FrameLayout.HELLO);
      }
    }
    get(CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)));
  }

  @Test
  void shouldEndWhateverWaitsWhenTheConnectionOrTheNodeEnds() throws Exception {
    Node receiver = nodes.open(1);
    CountDownLatch hold = new CountDownLatch(1);
    receiver.handle(
        Block.class,
        Dispatch.BLOCKING,
        (block, exchange) -> assertThat(hold.await(60, TimeUnit.SECONDS)).isTrue());
    Node sender = nodes.open(2);
    sender.send(1, new Block(new byte[1]));
    fill(sender);
    CompletableFuture<Void> first = sender.whenWritable(1);
    assertThat(first).isNotDone();
    Thread closer = Thread.ofPlatform().start(() -> receiver.close(Duration.ofMillis(1)));
    get(first); // the connection is lost
    hold.countDown();
    closer.join();
    nodes.directory().put(1, "127.0.0.1:1");
    await("backing off", () -> sender.trySend(1, new Block(new byte[1])) == SendStatus.UNREACHABLE);
    CompletableFuture<Void> second = sender.whenWritable(1);
    sender.close();
    get(second);
    CompletableFuture<Void> third = sender.whenWritable(1);
    assertThatThrownBy(() -> get(third)).hasCauseInstanceOf(NodeClosedException.class);
  }

  private static void fill(Node sender) {
    SendStatus status = SendStatus.ACCEPTED;
    while (status == SendStatus.ACCEPTED) {
      status = sender.trySend(1, new Block(new byte[1000]));
    }
    assertThat(status).isEqualTo(SendStatus.BACK_PRESSURED);
  }
}
