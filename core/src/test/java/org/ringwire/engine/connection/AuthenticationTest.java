package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Authentication;
import org.ringwire.AuthenticationRequiredException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeListener;
import org.ringwire.NodeUnreachableException;
import org.ringwire.engine.RawPeer;
import org.ringwire.engine.TestNodes;
import org.ringwire.engine.connection.handshake.LinkAuthentication;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.Bytes32;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Hello;
import org.ringwire.wire.RefusalReason;
import org.ringwire.wire.Welcome;

/** Who may connect: a node accepts, and is accepted by, those that know the cluster's secret. */
@ExtendWith(NodeWatcher.class)
class AuthenticationTest {

  record Ping(int number) {}

  record Pong(int number) {}

  private static final Authentication SECRET = secret("the secret of this cluster");
  private static final Duration SOON = Duration.ofSeconds(20);

  private final TestNodes nodes = new TestNodes("tcp");
  private final List<String> refusals = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    nodes.close();
  }

  private static Authentication secret(String text) {
    return Authentication.sharedSecret(text.getBytes(StandardCharsets.UTF_8));
  }

  private Node open(int id, Authentication authentication) {
    Node node =
        nodes.open(
            id,
            settings ->
                settings
                    .authentication(authentication)
                    .listener(
                        new NodeListener() {
                          @Override
                          public void refused(int nodeId, String reason) {
                            refusals.add(id + ": " + reason);
                          }
                        }));
    node.handle(Ping.class, (ping, exchange) -> exchange.reply(new Pong(ping.number())));
    return node;
  }

  // Among nodes.

  @Test
  void shouldConnectInBothDirectionsWhenBothKnowTheSecret() {
    Node one = open(1, SECRET);
    Node two = open(2, SECRET);

    assertThat(one.request(2, new Ping(7), Pong.class, SOON)).isEqualTo(new Pong(7));
    assertThat(two.request(1, new Ping(8), Pong.class, SOON)).isEqualTo(new Pong(8));
  }

  @Test
  void shouldServeAPeerWithoutListenerThatKnowsTheSecret() {
    open(1, SECRET);
    Node guest = nodes.added(Node.open(nodes.builder(2).authentication(SECRET).build()));

    assertThat(guest.request(1, new Ping(7), Pong.class, SOON)).isEqualTo(new Pong(7));
  }

  @Test
  void shouldTellItsIdOnlyToWhoKnowsTheSecret() {
    String address = String.valueOf(open(1, SECRET).address());
    Node friend = nodes.added(Node.open(nodes.builder(2).authentication(SECRET).build()));
    Node stranger =
        nodes.added(Node.open(nodes.builder(3).authentication(Authentication.none()).build()));

    assertThat(friend.connect(address, SOON)).isEqualTo(1);
    assertThatThrownBy(() -> stranger.connect(address, SOON))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining("shared secret");
  }

  @Test
  void shouldRefuseWhoKnowsAnotherSecret() {
    Node one = open(1, secret("another secret, as long"));
    open(2, SECRET);

    assertThatThrownBy(() -> one.request(2, new Ping(7), Pong.class, SOON))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining("does not know the shared secret");
    await("both hear", () -> refusals.size() == 2);
    assertThat(refusals).allMatch(text -> text.contains(RefusalReason.AUTHENTICATION.name()));
  }

  @Test
  void shouldRefuseWhoProvesNothing() {
    Node one = open(1, Authentication.none());
    open(2, SECRET);

    assertThatThrownBy(() -> one.request(2, new Ping(7), Pong.class, SOON))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining("this node demands that both sides know a shared secret");
  }

  @Test
  void shouldNotTalkToAnAcceptorThatHasNoSecret() {
    Node one = open(1, SECRET);
    open(2, Authentication.none());

    assertThatThrownBy(() -> one.request(2, new Ping(7), Pong.class, SOON))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining("it has no shared secret");
  }

  // As specified.

  private static byte[] fixture(String name) throws IOException {
    try (InputStream file =
        AuthenticationTest.class.getResourceAsStream("/wire/v1/" + name + ".hex")) {
      assertThat(file).as(name).isNotNull();
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      return HexFormat.of().parseHex(text.replaceAll("#[^\\n]*", "").replaceAll("\\s", ""));
    }
  }

  private static Bytes32 carried(byte[] frame) {
    return ControlFrames.bytes32(MemorySegment.ofArray(frame), 0);
  }

  @Test
  void shouldProveAsSpecified() throws IOException {
    LinkAuthentication opener =
        new LinkAuthentication(secret("the secret of the specification!").secret());
    opener.hello(fixture("hello-secret"));
    opener.challenged(carried(fixture("challenge")));
    MemorySegment welcome = MemorySegment.ofArray(fixture("welcome-proved"));

    assertThat(opener.openerProof()).isEqualTo(carried(fixture("proof")));
    Bytes32 acceptors = Welcome.parse(welcome, 0, FrameLayout.readHeader(welcome, 0)).proof();
    assertThat(opener.accepts(acceptors)).isTrue();
    assertThat(opener.accepts(opener.openerProof())).isFalse();
    assertThat(opener.accepts(null)).isFalse();
  }

  // What must be asked for by name.

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0:0", "[::]:0"})
  void shouldNotListenForOtherMachinesUnlessAskedTo(String address) {
    NodeConfig.Builder settings = nodes.builder(1).listen(address);

    assertThatThrownBy(() -> Node.open(settings.build()))
        .isInstanceOf(AuthenticationRequiredException.class)
        .hasMessageContaining("other machines could connect without authentication")
        .hasMessageContaining(address);
    nodes.added(Node.open(settings.authentication(SECRET).build()));
    nodes.added(Node.open(settings.authentication(Authentication.none()).build()));
  }

  @Test
  void shouldDemandASecretThatCannotBeGuessedAtOnce() {
    assertThatThrownBy(() -> Authentication.sharedSecret(new byte[15]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 16 bytes: length=15");
  }

  @Test
  void shouldNotTellTheSecret() {
    NodeConfig config = NodeConfig.builder(1).authentication(SECRET).build();

    assertThat(config.toString()).contains("SHARED_SECRET").doesNotContain("the secret of");
  }

  // Peers that break the rules.

  private static Hello hello(Bytes32 nonce) {
    Hello plain = RawPeer.hello(9, 9, "default");
    return new Hello(
        plain.minVersion(),
        plain.maxVersion(),
        plain.features(),
        plain.cluster(),
        plain.nodeId(),
        plain.expectedNodeId(),
        plain.incarnation(),
        plain.expectedIncarnation(),
        plain.hasListener(),
        plain.shared(),
        plain.inquiry(),
        Handshake.SHARED_SECRET,
        nonce,
        plain.limits(),
        plain.types());
  }

  private static Bytes32 bytes(int value) {
    byte[] bytes = new byte[Bytes32.LENGTH];
    bytes[0] = (byte) value;
    return Bytes32.of(bytes);
  }

  /** As the opener of a link would make it. */
  private static Bytes32 proof(byte[] hello, Bytes32 challenge) {
    LinkAuthentication authentication = new LinkAuthentication(SECRET.secret());
    authentication.hello(hello);
    authentication.challenged(challenge);
    return authentication.openerProof();
  }

  private static Bytes32 challenge(RawPeer peer) throws IOException {
    return ControlFrames.bytes32(peer.await(FrameLayout.CHALLENGE).memory(), 0);
  }

  private static void assertRefused(RawPeer peer, RefusalReason reason) throws IOException {
    RawPeer.Frame refusal = peer.lastBeforeEnd(FrameLayout.REFUSE);
    assertThat(refusal).isNotNull();
    assertThat(RefusalReason.of(refusal.type())).isEqualTo(reason);
  }

  @Test
  void shouldWelcomeTheRightProof() throws IOException {
    Node victim = open(1, SECRET);
    byte[] hello = hello(bytes(1)).encode();
    try (RawPeer peer = RawPeer.connect(victim)) {
      Bytes32 challenge = challenge(peer.send(hello));
      peer.send(ControlFrames.proof(proof(hello, challenge))).await(FrameLayout.WELCOME);
    }
  }

  @Test
  void shouldRefuseAProofThatWasMadeForAnotherLink() throws IOException {
    Node victim = open(1, SECRET);
    byte[] hello = hello(bytes(1)).encode();
    Bytes32 stolen;
    try (RawPeer peer = RawPeer.connect(victim)) {
      stolen = proof(hello, challenge(peer.send(hello)));
    }
    try (RawPeer peer = RawPeer.connect(victim)) {
      challenge(peer.send(hello));
      assertRefused(peer.send(ControlFrames.proof(stolen)), RefusalReason.AUTHENTICATION);
    }
    await("it is counted", () -> victim.metrics().handshakesRefused() == 1);
  }

  @Test
  void shouldRefuseTheAcceptorsOwnProof() throws IOException {
    Node victim = open(1, SECRET);
    byte[] hello = hello(bytes(1)).encode();
    try (RawPeer peer = RawPeer.connect(victim)) {
      LinkAuthentication reflected = new LinkAuthentication(SECRET.secret());
      reflected.hello(hello);
      reflected.challenged(challenge(peer.send(hello)));
      Bytes32 proof = reflected.acceptorProof();
      assertThat(proof).isNotNull();
      assertRefused(peer.send(ControlFrames.proof(proof)), RefusalReason.AUTHENTICATION);
    }
  }

  @Test
  void shouldTakeNothingBeforeTheProof() throws IOException {
    Node victim = open(1, SECRET);
    byte[] hello = hello(bytes(1)).encode();
    try (RawPeer peer = RawPeer.connect(victim)) {
      challenge(peer.send(hello));
      byte[] message = RawPeer.frame(FrameLayout.MESSAGE, 1, new byte[4]);
      assertRefused(peer.send(message), RefusalReason.MALFORMED);
    }
    assertThat(victim.metrics().messagesReceived()).isZero();
  }
}
