package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.CloseReport;
import org.ringwire.Dispatch;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeListener;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.engine.outbound.encoding.SlowEncoders;
import org.ringwire.ring.NativeMemory;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** A codec that blocks while it encodes delays others once, and never again (design rule 10). */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors({"claim open for too long", "a codec still encodes"})
class SlowEncodeTest {

  /** Bytes that no ring takes as they are. */
  private static final int LONG = 512 << 10;

  /** Codecs at the same time, for each of which the end of a node waits a second. */
  private static final int STUCK = 4;

  /** A claim open for ten times as long sets its type apart at once. */
  private static final Duration LIMIT = Duration.ofMillis(200);

  private static final Duration CLEARLY = LIMIT.multipliedBy(10);

  record Slow(long number) {}

  record Quick(long number) {}

  /** Encodes a {@link Slow} when it is told to. */
  private static final class BlockingCodec implements Codec<Slow> {
    private final int length;
    private final boolean writesFirst;
    private volatile long enteredNs;
    private volatile CountDownLatch entered = new CountDownLatch(1);
    private volatile CountDownLatch mayGoOn = new CountDownLatch(1);

    BlockingCodec() {
      this(Long.BYTES);
    }

    BlockingCodec(int length) {
      this(length, false);
    }

    /** If it writes first, it is done with the memory when it blocks. */
    BlockingCodec(int length, boolean writesFirst) {
      this.length = length;
      this.writesFirst = writesFirst;
    }

    void reset() {
      entered = new CountDownLatch(1);
      mayGoOn = new CountDownLatch(1);
    }

    /** Those that have entered go on with the next. */
    void entersAnew() {
      entered = new CountDownLatch(1);
    }

    @Override
    public int length(Slow message) {
      return length;
    }

    @Override
    public void encode(Slow message, Writer writer) {
      if (writesFirst) {
        write(message, writer);
        block();
      } else {
        block();
        write(message, writer);
      }
    }

    private void block() {
      enteredNs = System.nanoTime();
      entered.countDown();
      try {
        assertThat(mayGoOn.await(30, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private void write(Slow message, Writer writer) {
      writer.putLong(message.number());
      for (int written = Long.BYTES; written < length; written += Long.BYTES) {
        writer.putLong(0);
      }
    }

    @Override
    public Slow decode(Reader reader) {
      Slow message = new Slow(reader.getLong());
      for (int read = Long.BYTES; read < length; read += Long.BYTES) {
        long _ = reader.getLong();
      }
      return message;
    }
  }

  /** Encodes a {@link Quick} when something else has happened. */
  private record WaitingCodec(CountDownLatch before, CountDownLatch encoded)
      implements Codec<Quick> {

    @Override
    public int length(Quick message) {
      try {
        assertThat(before.await(30, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return Long.BYTES;
    }

    @Override
    public void encode(Quick message, Writer writer) {
      writer.putLong(message.number());
      encoded.countDown();
    }

    @Override
    public Quick decode(Reader reader) {
      return new Quick(reader.getLong());
    }
  }

  /** The time that a request has read before it connects is not that of its first write. */
  @Test
  void shouldBlameNoCodecForTheTimeThatConnectingTakes() throws Exception {
    BlockingCodec codec = new BlockingCodec();
    CountDownLatch encoded = new CountDownLatch(1);
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(Slow.class, codec);
    catalog.register(Quick.class, new WaitingCodec(codec.entered, encoded));
    NodeDirectory.Mutable known = NodeDirectory.mutable();
    NodeDirectory slow =
        nodeId -> {
          long beganNs = System.nanoTime();
          Awaiting.await("slow", () -> System.nanoTime() - beganNs > CLEARLY.toNanos());
          return known.address(nodeId);
        };
    try (Node one = Node.open(settings(1, slow, catalog).encodeTimeout(LIMIT).build());
        Node two = open(2, known, catalog)) {
      known.put(1, one.address()).put(2, two.address());
      two.handle(Slow.class, (message, exchange) -> {});
      two.handle(Quick.class, (message, exchange) -> exchange.reply(message));
      Duration patience = Duration.ofSeconds(30);
      Thread asks =
          Thread.ofVirtual().start(() -> one.request(2, new Quick(1), Quick.class, patience));
      Thread sends = Thread.ofVirtual().start(() -> one.send(2, new Slow(1), patience));
      assertThat(encoded.await(30, TimeUnit.SECONDS)).isTrue();
      SlowEncoders found = ((MessagingNode) one).connections().services().slowEncoders();
      LockSupport.parkNanos(100_000_000); // so that the request is the first to look at the claim
      one.flush();
      one.flush();
      boolean blamed = found.hasAny();
      boolean longAgo = System.nanoTime() - codec.enteredNs >= CLEARLY.toNanos(); // then rightly
      assertThat(blamed && !longAgo).isFalse();
      codec.mayGoOn.countDown();
      asks.join();
      sends.join();
    }
  }

  @Test
  void shouldDelayOthersOnlyUntilItIsFound() throws Exception {
    delayOthersOnce(new BlockingCodec());
  }

  /** It is encoded into memory of its own, but others wait behind its place in the ring. */
  @Test
  void shouldDelayOthersOnlyUntilItIsFoundThoughItsMessagesAreLong() throws Exception {
    delayOthersOnce(new BlockingCodec(LONG));
  }

  private static void delayOthersOnce(BlockingCodec codec) throws Exception {
    MessageCatalog sending = new MessageCatalog();
    MessageCatalog receiving = new MessageCatalog();
    sending.register(Slow.class, codec);
    receiving.register(Slow.class, codec);
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node one = open(1, directory, sending);
        Node two = open(2, directory, receiving)) {
      directory.put(1, one.address()).put(2, two.address());
      CountDownLatch slow = new CountDownLatch(2);
      two.handle(Slow.class, Dispatch.INLINE, (message, exchange) -> slow.countDown());
      two.handle(Quick.class, Dispatch.INLINE, (message, exchange) -> exchange.reply(message));
      one.request(2, new Quick(0), Quick.class, Duration.ofSeconds(20));

      Thread first = Thread.ofVirtual().start(() -> one.send(2, new Slow(1)));
      assertThat(codec.entered.await(20, TimeUnit.SECONDS)).isTrue();
      var waiting = one.requestAsync(2, new Quick(1), Quick.class, Duration.ofSeconds(60));
      awaitReport(one, waiting);
      codec.mayGoOn.countDown();
      first.join();
      assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo(new Quick(1));

      codec.reset();
      Thread second = Thread.ofVirtual().start(() -> one.send(2, new Slow(2)));
      assertThat(codec.entered.await(20, TimeUnit.SECONDS)).isTrue();
      Quick undelayed = one.request(2, new Quick(2), Quick.class, Duration.ofSeconds(30));
      assertThat(undelayed).isEqualTo(new Quick(2));
      codec.mayGoOn.countDown();
      second.join();
      assertThat(slow.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Writes until the same open claim was seen for longer than the limit. */
  private static void awaitReport(Node node, CompletableFuture<?> waiting) {
    SlowEncoders found = ((MessagingNode) node).connections().services().slowEncoders();
    Awaiting.await(
        "the codec that blocks is found",
        () -> {
          node.flush();
          assertThat(waiting.isDone()).isFalse();
          return found.hasAny();
        });
  }

  @Test
  void shouldReportWhatIsBeingEncodedWhenTheConnectionEndsAndWhatIsBehindIt() throws Exception {
    BlockingCodec codec = new BlockingCodec();
    MessageCatalog sending = new MessageCatalog();
    sending.register(Slow.class, codec);
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    Queue<LossReport> reports = new ConcurrentLinkedQueue<>();
    Queue<Integer> connected = new ConcurrentLinkedQueue<>();
    try (Node one =
            Node.open(
                settings(1, directory, sending).listener(noting(connected, reports)).build());
        Node two = open(2, directory, new MessageCatalog());
        Node three = open(3, directory, new MessageCatalog())) {
      directory.put(1, one.address()).put(2, two.address()).put(3, three.address());
      two.handle(Quick.class, Dispatch.INLINE, (message, exchange) -> exchange.reply(message));
      one.request(2, new Quick(0), Quick.class, Duration.ofSeconds(20));
      Thread first = Thread.ofVirtual().start(() -> one.send(2, new Slow(1)));
      assertThat(codec.entered.await(20, TimeUnit.SECONDS)).isTrue();
      for (int number = 1; number <= 10; number++) {
        one.send(2, new Quick(number));
      }
      two.close(Duration.ofSeconds(1));
      Awaiting.await("the end of the connection", () -> one.metrics().connections().isEmpty());
      one.send(3, new Quick(0));
      Awaiting.await("other events do not wait for codecs", () -> connected.contains(3));
      assertThat(reports).as("a message is not accepted yet, nor refused").isEmpty();
      codec.mayGoOn.countDown();
      assertThat(first.join(Duration.ofSeconds(20))).isTrue();
      Awaiting.await("the report", () -> !reports.isEmpty());
      LossReport report = reports.remove();
      assertThat(report.accepted()).as(report.toString()).isEqualTo(12);
      assertThat(report.lost()).as(report.toString()).isEqualTo(11);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT3S", "P1D"}) // however rarely it looks for signs of life
  void shouldEndTheLinkOfACodecThatDoesNotReturn(Duration keepAlive) throws Exception {
    BlockingCodec codec = new BlockingCodec();
    MessageCatalog sending = new MessageCatalog();
    sending.register(Slow.class, codec);
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    Queue<LossReport> reports = new ConcurrentLinkedQueue<>();
    NodeConfig.Builder impatient =
        settings(1, directory, sending)
            .listener(noting(new ConcurrentLinkedQueue<>(), reports))
            .keepAlive(keepAlive)
            .encodeTimeout(Duration.ofMillis(10));
    try (Node one = Node.open(impatient.build());
        Node two = open(2, directory, new MessageCatalog())) {
      directory.put(1, one.address()).put(2, two.address());
      two.handle(Quick.class, Dispatch.INLINE, (message, exchange) -> exchange.reply(message));
      one.request(2, new Quick(0), Quick.class, Duration.ofSeconds(20));
      Thread first = Thread.ofVirtual().start(() -> one.send(2, new Slow(1)));
      assertThat(codec.entered.await(20, TimeUnit.SECONDS)).isTrue();
      one.send(2, new Quick(1));
      Awaiting.await("the report", () -> !reports.isEmpty());
      assertThat(reports.remove().reason()).isEqualTo(EndReason.ENCODER_LOST);
      assertThat(one.request(2, new Quick(2), Quick.class, Duration.ofSeconds(20)))
          .as("over another link")
          .isEqualTo(new Quick(2));
      codec.mayGoOn.countDown();
      assertThat(first.join(Duration.ofSeconds(20))).isTrue();
    }
  }

  /**
   * However many codecs do not return: a node that is closed keeps nothing, and accepts nothing.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldFreeEverythingAndAcceptNothingThoughCodecsDoNotReturn(boolean writesFirst)
      throws Exception {
    List<String> memoryBefore = NativeMemory.openOwners();
    BlockingCodec codec = new BlockingCodec(Long.BYTES, writesFirst);
    MessageCatalog sending = new MessageCatalog();
    sending.register(Slow.class, codec);
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    List<Node> others = new ArrayList<>();
    Queue<Object> outcomes = new ConcurrentLinkedQueue<>();
    Node one = open(1, directory, sending);
    for (int id = 2; id < 2 + STUCK; id++) {
      Node other = open(id, directory, new MessageCatalog());
      others.add(other);
      directory.put(id, other.address());
      other.handle(Quick.class, Dispatch.INLINE, (message, exchange) -> exchange.reply(message));
      one.request(id, new Quick(0), Quick.class, Duration.ofSeconds(20));
      codec.entersAnew();
      int receiver = id;
      Thread _ =
          Thread.ofVirtual().start(() -> outcomes.add(outcome(one, receiver, new Slow(receiver))));
      assertThat(codec.entered.await(20, TimeUnit.SECONDS)).isTrue();
    }
    CloseReport report = one.close(Duration.ofMillis(1));
    others.forEach(Node::close);
    Awaiting.await(
        "all memory is given back",
        () -> {
          List<String> left = new ArrayList<>(NativeMemory.openOwners());
          memoryBefore.forEach(left::remove);
          return left.isEmpty();
        });
    codec.mayGoOn.countDown();
    Awaiting.await("the codecs have returned", () -> outcomes.size() == STUCK);

    assertThat(report.isClean()).as("nobody knew what would become of them").isFalse();
    assertThat(outcomes).allMatch(NodeClosedException.class::isInstance);
  }

  private static Object outcome(Node node, int receiver, Object message) {
    try {
      node.send(receiver, message);
      return "accepted";
    } catch (RuntimeException e) {
      return e;
    }
  }

  private static NodeListener noting(Queue<Integer> connected, Queue<LossReport> reports) {
    return new NodeListener() {
      @Override
      public void connected(int nodeId) {
        connected.add(nodeId);
      }

      @Override
      public void lost(LossReport report) {
        reports.add(report);
      }
    };
  }

  private static Node open(int id, NodeDirectory directory, MessageCatalog catalog) {
    return Node.open(settings(id, directory, catalog).build());
  }

  private static NodeConfig.Builder settings(
      int id, NodeDirectory directory, MessageCatalog catalog) {
    return NodeConfig.builder(id)
        .listen("127.0.0.1:0")
        .peers(directory)
        .catalog(catalog)
        .encodeTimeout(Duration.ofMillis(50));
  }
}
