package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.RawPeer;
import org.ringwire.engine.connection.PeerSession.Phase;
import org.ringwire.engine.outbound.OutboundStream;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;

/** What a peer hears before its WELCOME, after which all else may come. */
@ExtendWith(NodeWatcher.class)
class WelcomeTest {

  private static final Duration KEEP_ALIVE = Duration.ofSeconds(2);
  private static final long LOOKS_NS = KEEP_ALIVE.toNanos() / 6 * 5 / 2; // two and a half

  /** The timer looks also while the thread that reads is about to welcome the peer. */
  @Test
  void shouldHearNoSignsOfLifeBeforeIt() {
    MessagingNode node = open(KEEP_ALIVE);
    try {
      Connections connections = node.connections();
      Connection connection = ((ConnectResult.Begun) connections.connect(2)).connection();
      PeerSession in = (PeerSession) Objects.requireNonNull(connections.accept("peer-2:1"));
      assertThat(connection.attach(in)).isTrue();
      in.ready();
      awaitLooks();
      assertThat(in.pipe().isDrained()).as("nothing is to be sent").isTrue();

      in.welcomed();
      await("a sign of life", () -> !in.pipe().isDrained() || connection.isEnded());
      assertThat(connection.isEnded()).isFalse();
      assertThat(in.pipe().isDrained()).as("a sign of life waits for the link").isFalse();
      in.closed(null);
      Objects.requireNonNull(connection.outbound()).closed(null);
    } finally {
      node.close(Duration.ofSeconds(1));
    }
  }

  /** Another life of the peer comes while the HELLO of the first waits for the link back. */
  @Test
  void shouldBeAskedForASignOfLifeOnlyAfterIt() {
    MessagingNode node = open(Duration.ofHours(1));
    try {
      Connections connections = node.connections();
      Connection connection = ((ConnectResult.Begun) connections.connect(2)).connection();
      PeerSession in = (PeerSession) Objects.requireNonNull(connections.accept("peer-2:1"));
      assertThat(connection.attach(in)).isTrue();
      in.ready();
      PeerSession other = (PeerSession) Objects.requireNonNull(connections.accept("peer-2:2"));
      connections.admissions().probe(connection, other, RawPeer.hello(2, 77, "default"));
      assertThat(in.pipe().isDrained()).as("nothing is to be sent").isTrue();

      in.welcomed();
      await("a question that waits for the link", () -> !in.pipe().isDrained());
      other.closed(null);
      in.closed(null);
      Objects.requireNonNull(connection.outbound()).closed(null);
    } finally {
      node.close(Duration.ofSeconds(1));
    }
  }

  /** Its first request may be read by another thread as soon as the WELCOME is on its way. */
  @Test
  void shouldBeAbleToAskAsSoonAsItIsWritten() {
    MessagingNode node = open(Duration.ofHours(1));
    try {
      Connections connections = node.connections();
      PeerSession in = (PeerSession) Objects.requireNonNull(connections.accept("peer-3:1"));
      List<ConnectionState> states = new ArrayList<>();
      in.opened(
          new TakingAll(() -> states.add(Objects.requireNonNull(connections.listed(3)).state())));
      connections.admissions().hello(in, RawPeer.hello(3, 77, "default"));
      assertThat(states).isNotEmpty().containsOnly(ConnectionState.OPEN);
      assertThat(in.isReady()).isTrue();
      in.closed(null);
    } finally {
      node.close(Duration.ofSeconds(1));
    }
  }

  /**
   * It waits for nothing but an answer to its HELLO, and would call any other frame a violation.
   */
  @Test
  void shouldBeRefusedInPlaceOfItIfItSaysMoreBefore() {
    try (MessagingNode node = NowhereProvider.openNode()) {
      PeerSession in = NowhereProvider.accepted(node.connections());
      List<Integer> said = new ArrayList<>();
      in.opened(new NotingLink(said));
      receive(in, RawPeer.listening(2, 77).encode());
      assertThat(in.phase()).as("it waits for a link back").isEqualTo(Phase.DECIDING);
      receive(in, ControlFrames.pong(0));

      assertThat(said).containsExactly(FrameLayout.REFUSE);
      assertThat(in.ending().cause()).contains("frame out of place");
      in.closed(null);
    }
  }

  private static void receive(PeerSession session, byte[] frame) {
    session.received(MemorySegment.ofArray(frame), 0, frame.length);
  }

  /** Data ahead of it is a violation to the peer. */
  @Test
  void shouldComeBeforeAllDataAlsoWhereAnotherThreadIsJustWriting()
      throws ReflectiveOperationException {
    ClassDesc scenario = ClassDesc.of(WelcomeFirstScenario.class.getName());
    MutantLoader writing =
        new MutantLoader(
            Map.of(
                OutboundStream.class.getName(),
                MutantLoader.method(
                    "next",
                    (code, element) -> {
                      boolean found =
                          element instanceof InvokeInstruction call
                              && call.name().equalsString("takeDetached");
                      if (found) {
                        code.invokestatic(
                            scenario, "between", MethodTypeDesc.of(ConstantDescs.CD_void));
                        code.with(element);
                      }
                      return found;
                    })));
    assertThat(writing.run(WelcomeFirstScenario.class)).isTrue();
  }

  /** It would send at once, and lose what it sends. */
  @Test
  void shouldNotHearItIfTheConnectionHasEndedMeanwhile() {
    MessagingNode node = open(Duration.ofHours(1));
    try {
      Connections connections = node.connections();
      Connection connection = ((ConnectResult.Begun) connections.connect(2)).connection();
      PeerSession in = (PeerSession) Objects.requireNonNull(connections.accept("peer-2:1"));
      List<String> written = new ArrayList<>();
      in.opened(new TakingAll(() -> written.add("a frame")));
      connection.giveUp("this node closes"); // which the link is not told yet
      in.handshake().welcome(connection, RawPeer.hello(2, 77, "default"), true, true);
      assertThat(written).isEmpty();
      assertThat(in.ending().isBegun()).isTrue();
      in.closed(null);
    } finally {
      node.close(Duration.ofSeconds(1));
    }
  }

  /**
   * Takes whatever is written.
   *
   * @param each runs with each write
   */
  private record TakingAll(Runnable each) implements Link {

    @Override
    public boolean write(OutboundSource source) {
      OutboundRanges ranges = new OutboundRanges(4);
      for (long bytes = source.next(ranges); bytes > 0; bytes = source.next(ranges)) {
        source.sentAndCompleted(bytes);
        each.run();
      }
      return true;
    }

    @Override
    public void close() {}

    @Override
    public String remote() {
      return "peer:1";
    }
  }

  /** Of a node that knows where node 2 is, and nobody else. */
  private static MessagingNode open(Duration keepAlive) {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    directory.put(2, "somewhere");
    NodeConfig config =
        NodeConfig.builder(1).transport("nowhere").peers(directory).keepAlive(keepAlive).build();
    return (MessagingNode) MessagingNode.open(config, 1, new NowhereProvider());
  }

  private static void awaitLooks() {
    long beganNs = System.nanoTime();
    await("looks", () -> System.nanoTime() - beganNs >= LOOKS_NS);
  }
}
