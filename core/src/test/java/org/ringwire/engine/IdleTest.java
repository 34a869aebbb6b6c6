package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.RawPeer.frame;
import static org.ringwire.engine.RawPeer.words;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.EncodingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.SendStatus;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.engine.outbound.FrameEncoder;
import org.ringwire.ring.NativeMemory;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;
import org.ringwire.transport.loopback.LoopbackTransportProvider;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.TypeAnnouncement;

/** What idle connections give back, and that they go on as if nothing had happened. */
@ExtendWith(NodeWatcher.class)
class IdleTest {

  record Event(long number) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Block(byte[] bytes) {}

  private final TestNodes nodes = new TestNodes("tcp");

  @AfterEach
  void end() {
    nodes.close();
  }

  private static TypeAnnouncement type() {
    return FrameEncoder.announcementOf(new MessageCatalog().typeOf(Event.class));
  }

  @Test
  void shouldHoldLittleForAHundredConnectionsThatWereBusyOnce() throws IOException {
    int peers = 100;
    Queue<Long> events = new ConcurrentLinkedQueue<>();
    long before = NativeMemory.openBytes();
    Node hub = // its peers give no signs of life, however long all of this takes
        nodes.open(1, it -> it.idleTime(Duration.ofMillis(20)).keepAlive(Duration.ofHours(1)));
    hub.handle(Event.class, (event, exchange) -> events.add(event.number()));
    List<RawPeer> open = new ArrayList<>();
    try {
      for (int id = 2; id < 2 + peers; id++) {
        RawPeer peer = RawPeer.join(hub, id, type());
        open.add(peer);
        hub.send(id, new Event(id));
        peer.send(frame(FrameLayout.MESSAGE, type().id(), words(id)));
        assertThat(peer.await(FrameLayout.MESSAGE).word(0)).isEqualTo(id);
      }
      await("all have sent", () -> events.size() == peers);
      await("only a little is left", () -> NativeMemory.openBytes() - before < peers * (4L << 10));
      events.clear();
      for (int id = 2; id < 2 + peers; id++) {
        RawPeer peer = open.get(id - 2);
        assertThat(hub.trySend(id, new Event(-id))).isEqualTo(SendStatus.ACCEPTED);
        assertThat(peer.await(FrameLayout.MESSAGE).word(0)).isEqualTo(-id);
        peer.send(frame(FrameLayout.MESSAGE, type().id(), words(-id)));
      }
      await("all have sent again", () -> events.size() == peers);
      assertThat(hub.metrics().connections()).hasSize(peers);
    } finally {
      for (RawPeer peer : open) {
        peer.close();
      }
    }
  }

  @Test
  void shouldLetOthersHaveTheWindowOfAnIdlePeer() {
    Node receiver =
        nodes.open(1, settings -> settings.windowBudget(1 << 20).window(64 << 10, 1 << 20));
    AtomicLong received = new AtomicLong();
    receiver.handle(
        Block.class,
        Dispatch.POOLED.inOrder(),
        (block, exchange) -> received.addAndGet(block.bytes().length));
    receiver.handle(Event.class, (event, exchange) -> exchange.reply(event));
    Node busy = nodes.open(2, settings -> settings.idleTime(Duration.ofMillis(50)));
    sendBlocks(busy, 4000, 1 << 10, received);
    Node late = nodes.open(3); // there is a window for it only if the other one gives some back
    await(
        "a window for the late one",
        () -> {
          try {
            return late.request(1, new Event(5), Event.class, PATIENCE).number() == 5;
          } catch (org.ringwire.NodeUnreachableException e) {
            return false;
          }
        });
    sendBlocks(late, 1000, 1 << 10, received);
    sendBlocks(busy, 1000, 1 << 10, received);
    sendBlocks(busy, 3, 300 << 10, received); // more than the window that is left
  }

  /** The memory of a ring that wakes is most likely where that of the one that rested has been. */
  @Test
  void shouldCarryTheSameBytesThroughSharedMemoryAfterARest() {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    Queue<Byte> received = new ConcurrentLinkedQueue<>();
    try (Node receiver = Node.open(sharing(1, directory).listen("*").build());
        Node sender = Node.open(sharing(2, directory).idleTime(Duration.ofMillis(20)).build())) {
      directory.put(1, String.valueOf(receiver.address()));
      receiver.handle(
          Block.class,
          Dispatch.INLINE,
          (block, exchange) -> received.add(block.bytes()[block.bytes().length - 1]));
      for (byte value = 1; value <= 5; value++) {
        byte[] bytes = new byte[1000];
        Arrays.fill(bytes, value);
        sender.send(1, new Block(bytes));
        int count = value;
        await("the block", () -> received.size() == count);
        await("the rest", () -> !NativeMemory.openOwners().contains("connection to node 1"));
      }
      assertThat(received).containsExactly((byte) 1, (byte) 2, (byte) 3, (byte) 4, (byte) 5);
    }
  }

  /** Pages of a file take memory as long as somebody has mapped them. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldHaveThePeerLetGoOfARingThatRests() {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    AtomicLong received = new AtomicLong();
    try (Node receiver = Node.open(sharing(1, directory).listen("*").build());
        Node sender = Node.open(sharing(2, directory).idleTime(Duration.ofMillis(200)).build())) {
      directory.put(1, String.valueOf(receiver.address()));
      receiver.handle(Block.class, (block, exchange) -> received.addAndGet(block.bytes().length));
      for (int round = 0; round < 3; round++) {
        sendBlocks(sender, 10, 1000, received);
        await("the rest", () -> !NativeMemory.openOwners().contains("connection to node 1"));
        await("no long ring is mapped", () -> mappedBytesOfRings() < 64 << 10);
      }
    }
  }

  private static long mappedBytesOfRings() {
    List<String> mappings;
    try {
      mappings = Files.readAllLines(Path.of("/proc/self/maps"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long sum = 0;
    for (String mapping : mappings) {
      if (mapping.contains("/ringwire-") && mapping.contains("/ring-")) {
        String[] range = mapping.substring(0, mapping.indexOf(' ')).split("-", 2);
        sum += Long.parseLong(range[1], 16) - Long.parseLong(range[0], 16);
      }
    }
    return sum;
  }

  private static NodeConfig.Builder sharing(int id, NodeDirectory directory) {
    return NodeConfig.builder(id).transport("shm").peers(directory).sendTimeout(PATIENCE);
  }

  private static void sendBlocks(Node node, int count, int length, AtomicLong received) {
    long before = received.get();
    for (int block = 0; block < count; block++) {
      node.send(1, new Block(new byte[length]));
    }
    await("all blocks", () -> received.get() == before + (long) count * length);
  }

  @Test
  void shouldGiveBackAGrantThatNobodyUses() {
    Node receiver = nodes.open(1);
    AtomicLong received = new AtomicLong();
    receiver.handle(Block.class, (block, exchange) -> received.addAndGet(block.bytes().length));
    Node hesitating = nodes.open(2, settings -> settings.idleTime(Duration.ofMillis(50)));
    hesitating.send(1, new Block(new byte[1]));
    int length = 60 << 20; // four are granted at the same time, and a fifth waits
    for (int block = 0; block < 4; block++) {
      Block large = new Block(new byte[length + 8 * block]);
      assertThat(hesitating.trySend(1, large)).isEqualTo(SendStatus.BACK_PRESSURED);
    }
    Node patient = nodes.open(9);
    patient.send(1, new Block(new byte[length]));
    await("the large message", () -> received.get() == 1 + length);
  }

  @Test
  void shouldUseTheGrantOfAMessageThatWasNotEncoded() {
    Node receiver = nodes.open(1);
    AtomicLong received = new AtomicLong();
    receiver.handle(Block.class, (block, exchange) -> received.addAndGet(block.bytes().length));
    int length = 60 << 20; // four are granted at the same time
    MessageCatalog catalog = new MessageCatalog();
    Codec<Event> failing =
        new Codec<>() {
          @Override
          public int length(Event event) {
            return length;
          }

          @Override
          public void encode(Event event, Writer writer) {
            throw new IllegalStateException("not today");
          }

          @Override
          public Event decode(Reader reader) {
            throw new IllegalStateException("never sent");
          }
        };
    catalog.register(Event.class, failing);
    Node sender = nodes.open(2, settings -> settings.catalog(catalog));
    for (int attempt = 0; attempt < 6; attempt++) {
      assertThatThrownBy(() -> sender.send(1, new Event(1)))
          .isInstanceOf(EncodingException.class)
          .hasMessageContaining("not today");
    }
    sender.send(1, new Block(new byte[length]));
    await("the large message", () -> received.get() == length);
  }

  /** Counts how often rings have taken memory. */
  private static final class CountingProvider implements TransportProvider {
    private final TransportProvider real = new LoopbackTransportProvider();
    private final AtomicInteger rings = new AtomicInteger();

    @Override
    public String name() {
      return real.name();
    }

    @Override
    public Transport open(TransportConfig config) {
      Transport transport = real.open(config);
      return new Transport() {
        @Override
        public String listen(String address, LinkAcceptor acceptor) throws IOException {
          return transport.listen(address, acceptor);
        }

        @Override
        public void connect(String address, LinkHandler handler) {
          transport.connect(address, handler);
        }

        @Override
        public boolean isLocal(String address) {
          return transport.isLocal(address);
        }

        @Override
        public MemorySegment allocateRing(Link link, Arena arena, long capacity) {
          rings.incrementAndGet();
          return transport.allocateRing(link, arena, capacity);
        }

        @Override
        public void stopListening() {
          transport.stopListening();
        }

        @Override
        public void close() {
          transport.close();
        }
      };
    }
  }

  @Test
  void shouldLoseNothingWhenSendersStartWhileTheirConnectionGoesToRest() throws Exception {
    int producers = 4;
    CountingProvider provider = new CountingProvider();
    try (TestNodes loopback = new TestNodes("loopback")) {
      Node receiver = loopback.open(1);
      AtomicLong[] next = new AtomicLong[producers];
      Queue<String> wrong = new ConcurrentLinkedQueue<>();
      for (int producer = 0; producer < producers; producer++) {
        next[producer] = new AtomicLong();
      }
      receiver.handle(
          Event.class,
          Dispatch.POOLED.inOrder(),
          (event, exchange) -> {
            int producer = (int) (event.number() >>> 32);
            long sequence = event.number() & 0xFFFF_FFFFL;
            if (next[producer].getAndIncrement() != sequence) {
              wrong.add("producer=" + producer + " sequence=" + sequence);
            }
            if (exchange.isRequest()) {
              exchange.reply(event);
            }
          });
      Node sender =
          loopback.added(
              MessagingNode.open(
                  loopback
                      .builder(2)
                      .listen("idle-sender")
                      .ringCapacity(64 << 10)
                      .idleTime(Duration.ofMillis(1))
                      .build(),
                  1,
                  provider));
      AtomicLong[] sent = new AtomicLong[producers];
      BooleanSupplier mayStop = () -> provider.rings.get() > 20;
      List<Thread> threads = new ArrayList<>();
      for (int producer = 0; producer < producers; producer++) {
        int id = producer;
        sent[id] = new AtomicLong();
        threads.add(Thread.ofPlatform().start(() -> produce(sender, id, mayStop, sent[id], wrong)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(wrong).isEmpty();
      for (int producer = 0; producer < producers; producer++) {
        int id = producer;
        await("all messages", () -> next[id].get() == sent[id].get());
      }
      assertThat(wrong).isEmpty();
      assertThat(provider.rings.get()).as("times that the ring took memory").isGreaterThan(20);
    }
  }

  /** Sends 300 bursts, and up to ten times as many until there is nothing more to wait for. */
  private static void produce(
      Node sender, int id, BooleanSupplier mayStop, AtomicLong sent, Queue<String> wrong) {
    SplittableRandom random = new SplittableRandom(id);
    try {
      for (int round = 0; round < 300 || (round < 3_000 && !mayStop.getAsBoolean()); round++) {
        for (int count = 0; count < 20; count++) {
          sender.send(1, new Event(((long) id << 32) + sent.getAndIncrement()));
        }
        Event last = new Event(((long) id << 32) + sent.getAndIncrement());
        if (!sender.request(1, last, Event.class, PATIENCE).equals(last)) {
          wrong.add("response of producer=" + id);
        }
        LockSupport.parkNanos(random.nextLong(4_000_000)); // about as long as it takes to rest
      }
    } catch (RuntimeException | Error e) {
      wrong.add(e.toString());
    }
  }
}
