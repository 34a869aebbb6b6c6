package org.ringwire.transport.shm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.ringwire.Dispatch;
import org.ringwire.IdleStrategy;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.SendStatus;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Link;
import org.ringwire.transport.PatternSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Resources;
import org.ringwire.transport.Threads;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/**
 * Rule 19 of the design: a peer that scribbles over the memory that it shares can make this side
 * close the link, and nothing else.
 */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("")
@Timeout(120)
class HostilePeerTest {

  record Echo(long number, String text) {}

  record Ask(long number) {}

  private final Queue<ProbeHandler> handlers = new ConcurrentLinkedQueue<>();
  @RegisterExtension private final Resources resources = new Resources();

  private Transport open() {
    return resources.closing(
        new ShmTransportProvider()
            .open(
                new TransportConfig(
                    1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10))));
  }

  @FunctionalInterface
  private interface Misdeed {
    void commit(HostilePeer peer) throws IOException;
  }

  /** What the peer does, and what the link's end says about it. */
  private void shouldEnd(String message, Misdeed misdeed) throws IOException {
    Transport listening = open();
    String address =
        listening.listen(
            "*",
            remote -> {
              ProbeHandler handler = new ProbeHandler();
              handlers.add(handler);
              return handler;
            });
    ProbeHandler bystander = new ProbeHandler();
    open().connect(address, bystander);
    bystander.link();
    ProbeHandler good = handlers.remove();
    try (HostilePeer peer = new HostilePeer(address)) {
      ProbeHandler victim = handlers.remove();
      victim.link();
      misdeed.commit(peer);
      peer.awaitEnd();
      assertThat(victim.cause()).hasMessageContaining(message);
    }
    PatternSource source = resources.closing(new PatternSource(1, 100));
    source.offer(bystander.link(), 1000);
    good.awaitReceived(1000);
  }

  /** What is in a place before its time, or is of a lap before, is not there. */
  @Test
  void shouldReadNothingThatIsNotDue() throws IOException {
    shouldEnd(
        "unknown kind: 6",
        peer -> {
          peer.describe(SideLayout.SLOTS, 4, 0, 8); // in the first place, of the second lap
          peer.describe(1, 5, 0, 8); // in the second place, and the first is not due
          peer.ring();
          peer.describe(0, 6, 0, 8);
          peer.ring();
        });
  }

  @Test
  void shouldEndLinkOfPeerThatHasReadWhatWasNotWritten() throws IOException {
    shouldEnd(
        "claims to have read",
        peer -> {
          peer.word(SideLayout.CONSUMED, 1);
          peer.ring();
        });
  }

  @Test
  void shouldEndLinkOfPeerThatDescribesWhatItDoesNotHave() throws IOException {
    long[][] impossible = {
      {SideLayout.COPIED, 0, 0},
      {SideLayout.COPIED, -1, 1},
      {SideLayout.COPIED, SideLayout.COPIES_LENGTH, 1},
      {SideLayout.COPIED, 1, SideLayout.COPIES_LENGTH},
      {SideLayout.COPIED, Long.MAX_VALUE, 1},
      {SideLayout.COPIED, 0, 0xFFFF_FFFFL},
      {SideLayout.IN_RING, 0, 1}, // there is none
      {SideLayout.WITHIN_ITSELF, 0, SideLayout.WITHIN_LENGTH + 1},
      {SideLayout.WITHIN_ITSELF, 0, 0},
      {SideLayout.NEW_RING, SideLayout.COPIES_LENGTH - 1, 2},
    };
    for (long[] what : impossible) {
      shouldEnd(
          "does not have",
          peer -> {
            peer.describe(0, (int) what[0], what[1], what[2]);
            peer.ring();
          });
    }
    shouldEnd(
        "unknown kind",
        peer -> {
          peer.describe(0, 4, 0, 8);
          peer.ring();
        });
  }

  @Test
  void shouldEndLinkOfPeerWhoseRingIsElsewhere() throws IOException {
    for (String name : List.of("/etc/passwd", "relative", "/dev/shm/ringwire-other/ring-1")) {
      shouldEnd(
          "not where its other file is",
          peer -> {
            peer.text(name);
            peer.describe(0, SideLayout.NEW_RING, 0, name.length());
            peer.ring();
          });
    }
    shouldEnd(
        "not a file of a peer",
        peer -> {
          String name = peer.path().resolveSibling("lock").toString();
          peer.text(name);
          peer.describe(0, SideLayout.NEW_RING, 0, name.length());
          peer.ring();
        });
  }

  @Test
  void shouldReadNoFurtherThanTheRing() throws IOException {
    shouldEnd(
        "does not have",
        peer -> {
          String name = peer.newRing(4096).file().toString();
          peer.text(name);
          peer.describe(0, SideLayout.NEW_RING, 0, name.length());
          peer.describe(1, SideLayout.IN_RING, 4000, 97);
          peer.ring();
        });
  }

  @Test
  void shouldSurviveMemoryThatIsTakenAway() throws IOException {
    shouldEnd(
        "taken its memory away",
        peer -> {
          peer.truncate();
          peer.ring();
        });
  }

  @Test
  void shouldFailToWriteToPeerWhoseMemoryIsGone() throws Exception {
    Transport listening = open();
    ProbeHandler victim = new ProbeHandler();
    String address = listening.listen("*", remote -> victim);
    try (HostilePeer peer = new HostilePeer(address)) {
      Link link = victim.link();
      PatternSource source = resources.closing(new PatternSource(1, 100));
      source.offer(link, 1000);
      peer.truncate();
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100; i++) {
                  source.offer(link, 1000);
                }
              })
          .isInstanceOf(
              IOException.class); // of this write, or of an earlier look of the I/O thread
      assertThat(victim.cause()).hasMessageContaining("taken its memory away");
    }
  }

  /** Frames, and what looks like them, change while a node reads them. */
  @Test
  void shouldSurviveScribbling() throws Exception {
    scribble(40, 7);
  }

  @Test
  @Tag("nightly")
  void shouldSurviveScribblingForLong() throws Exception {
    scribble(5000, 8);
  }

  private void scribble(int peers, long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node one = Node.open(config(1, directory).listen("*").build());
        Node two = Node.open(config(2, directory).build())) {
      String address = String.valueOf(one.address());
      directory.put(1, address);
      one.handle(Echo.class, Dispatch.INLINE, (echo, exchange) -> exchange.reply(echo));
      for (int number = 0; number < peers; number++) {
        try (HostilePeer peer = new HostilePeer(address)) {
          scribble(peer, random);
        }
        Echo echo = new Echo(number, "still there");
        assertThat(two.request(1, echo, Echo.class, TestNodes.PATIENCE)).isEqualTo(echo);
      }
    }
  }

  /** A sender whose ring is written to by somebody else, all the time, headers included. */
  @Test
  void shouldSurviveRingThatChangesWhileItIsRead() throws Exception {
    scribbleOverRing(20_000, Dispatch.INLINE);
  }

  @Test
  @Tag("nightly")
  @Timeout(1200)
  void shouldSurviveRingThatChangesWhileItIsReadForLong() throws Exception {
    scribbleOverRing(5_000_000, Dispatch.INLINE);
  }

  /** The same, with frames that are kept in a copy. */
  @Test
  void shouldSurviveRingThatChangesWhileItIsCopied() throws Exception {
    scribbleOverRing(20_000, Dispatch.POOLED);
  }

  @Test
  @Tag("nightly")
  @Timeout(1200)
  void shouldSurviveRingThatChangesWhileItIsCopiedForLong() throws Exception {
    scribbleOverRing(5_000_000, Dispatch.POOLED);
  }

  private static void scribbleOverRing(int messages, Dispatch dispatch) throws Exception {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    RecordingProvider provider = new RecordingProvider();
    AtomicBoolean ended = new AtomicBoolean();
    LongAdder handled = new LongAdder();
    Threads threads = new Threads();
    try (Node one = Node.open(config(1, directory).listen("*").build());
        Node two = MessagingNode.open(config(2, directory).build(), 1, provider)) {
      directory.put(1, String.valueOf(one.address()));
      one.handle(Echo.class, dispatch, (echo, exchange) -> handled.increment());
      threads.start(() -> {
        SplittableRandom random = new SplittableRandom(9);
        while (!ended.get()) {
          provider.scribble(random);
        }
      });
      int accepted = 0;
      long deadlineNs = System.nanoTime() + TestNodes.PATIENCE.toNanos();
      for (int number = 0;
          number < messages || (accepted == 0 && System.nanoTime() - deadlineNs < 0);
          number++) { // connecting may take longer than thousands of attempts
        try {
          accepted +=
              two.trySend(1, new Echo(number, "text " + number)) == SendStatus.ACCEPTED ? 1 : 0;
        } catch (MessagingException e) {
          assertThat(e.getMessage()).isNotBlank(); // the connection is lost again and again
        }
      }
      ended.set(true);
      threads.join();
      assertThat(accepted).isPositive();
      one.handle(Ask.class, Dispatch.INLINE, (ask, exchange) -> exchange.reply(ask));
      try (Node three = Node.open(config(3, directory).build())) {
        assertThat(three.request(1, new Ask(1), Ask.class, TestNodes.PATIENCE))
            .isEqualTo(new Ask(1));
      }
      two.close(Duration.ZERO); // what its ring has become may never be sent
    }
  }

  private static NodeConfig.Builder config(int id, NodeDirectory directory) {
    return NodeConfig.builder(id)
        .transport("shm")
        .peers(directory)
        .requestTimeout(TestNodes.PATIENCE);
  }

  private static void scribble(HostilePeer peer, SplittableRandom random) throws IOException {
    MemorySegment ring = peer.newRing(1 << 16).memory();
    MemorySegment side = peer.side;
    long published = 0;
    try {
      for (int round = 0; round < 200; round++) {
        int count = random.nextInt(1, 20);
        for (int i = 0; i < count; i++) {
          long offset = random.nextInt(0, SideLayout.COPIES_LENGTH) & -8L;
          boolean within = random.nextBoolean();
          long length = random.nextInt(1, within ? SideLayout.WITHIN_LENGTH + 1 : 300);
          int usual = within ? SideLayout.WITHIN_ITSELF : SideLayout.COPIED;
          int kind = random.nextInt(100) == 0 ? random.nextInt(5) : usual;
          peer.describe(published + i, kind, offset, length);
        }
        published += count;
        peer.ring();
        for (int i = 0; i < 200; i++) {
          long where = SideLayout.COPIES + random.nextInt(SideLayout.COPIES_LENGTH);
          side.set(JAVA_BYTE, where, (byte) random.nextInt());
          long within = SideLayout.within(random.nextInt(SideLayout.SLOTS));
          side.set(
              JAVA_BYTE,
              within + random.nextInt(SideLayout.WITHIN_LENGTH),
              (byte) random.nextInt());
          ring.set(JAVA_BYTE, random.nextInt(1 << 16), (byte) random.nextInt());
        }
        if (random.nextInt(50) == 0) {
          boolean described = random.nextBoolean();
          long from = described ? SideLayout.DESCRIPTORS / Long.BYTES : 0;
          peer.word((from + random.nextInt(0, 80)) * Long.BYTES, random.nextLong());
        }
      }
    } catch (IOException e) {
      assertThat(e).hasMessageMatching("(?is).*(pipe|reset).*"); // the node has closed the link
    }
  }
}
