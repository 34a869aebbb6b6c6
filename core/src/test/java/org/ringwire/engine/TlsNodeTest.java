package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.Authentication;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeListener;
import org.ringwire.NodeUnreachableException;
import org.ringwire.Tls;
import org.ringwire.TlsNames;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.LogRecorder;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.TestCertificates;
import org.ringwire.testing.TestCertificates.Identity;
import org.ringwire.transport.tls.TlsTransport;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Incarnation;
import org.ringwire.wire.Limits;
import org.ringwire.wire.Refusal;
import org.ringwire.wire.RefusalReason;
import org.ringwire.wire.Welcome;

/** Nodes with TLS: who is let in, what the others are told, and how certificates are replaced. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors({"the TLS credentials in use stay as they are", "peers refuse links"})
class TlsNodeTest {

  record Ping(int number) {}

  record Pong(int number) {}

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String CLUSTER = "default";
  private static final TestCertificates AUTHORITY = new TestCertificates("authority");
  private static final TestCertificates STRANGER = new TestCertificates("stranger");

  @TempDir private Path folder;

  private final TestNodes nodes = new TestNodes("tcp");
  private final List<String> refusals = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    nodes.close();
  }

  private Node open(int id, @Nullable Tls tls) {
    return open(id, tls, Authentication.localOnly());
  }

  private Node open(int id, @Nullable Tls tls, Authentication authentication) {
    Node node =
        nodes.open(
            id,
            settings -> {
              if (tls != null) {
                settings.tls(tls);
              }
              return settings
                  .authentication(authentication)
                  .listener(
                      new NodeListener() {
                        @Override
                        public void refused(int nodeId, String reason) {
                          refusals.add(id + ": " + reason);
                        }
                      });
            });
    node.handle(Ping.class, (ping, exchange) -> exchange.reply(new Pong(ping.number())));
    return node;
  }

  private Tls tls(int... nodeIds) {
    return AUTHORITY.tls(folder, CLUSTER, nodeIds);
  }

  private static void assertAnswers(Node from, int to) {
    assertThat(from.request(to, new Ping(7), Pong.class, SOON)).isEqualTo(new Pong(7));
  }

  private void awaitRefusal(String text) {
    await(
        "refusal with: " + text + " among " + refusals,
        () -> refusals.stream().anyMatch(refusal -> refusal.contains(text)));
  }

  @Test
  void shouldRefuseAPropertyThatIsNoNumberOfBytes() {
    System.setProperty(TlsTransport.KEY_UPDATE_BYTES, "1g");
    try {
      assertThatThrownBy(() -> open(1, tls(1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("ringwire.tls.keyUpdateBytes must be a number of bytes: value=1g");
    } finally {
      System.clearProperty(TlsTransport.KEY_UPDATE_BYTES);
    }
  }

  // Among nodes.

  @Test
  void shouldSayWhatToDoAboutACertificateThatIsTooLong() {
    Tls many = tls(IntStream.range(1, 1300).toArray());
    open(1, many);
    Node two = open(2, many);
    assertThatThrownBy(() -> two.request(1, new Ping(7), Pong.class, SOON))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining("exceeds the maximum allowed size")
        .hasMessageContaining("jdk.tls.maxHandshakeMessageSize");
  }

  @Test
  void shouldConnectInBothDirections() {
    Node one = open(1, tls(1));
    Node two = open(2, tls(2));

    assertAnswers(one, 2);
    assertAnswers(two, 1);
  }

  @Test
  void shouldServeAPeerWithoutListenerAndTellItsId() {
    Node one = open(1, tls(1));
    Node guest = nodes.added(Node.open(nodes.builder(2).tls(tls(2)).build()));

    assertThat(guest.connect(String.valueOf(one.address()), SOON)).isEqualTo(1);
    assertAnswers(guest, 1);
  }

  @Test
  void shouldCombineWithASharedSecret() {
    Authentication secret = Authentication.sharedSecret(new byte[32]);
    Node one = open(1, tls(1), secret);
    open(2, tls(2), secret);
    open(3, tls(3));

    assertAnswers(one, 2);
    assertThatThrownBy(() -> one.request(3, new Ping(7), Pong.class, SOON))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining("no shared secret");
  }

  @Test
  void shouldListenForOtherMachines() {
    assertThat(nodes.added(Node.open(nodes.builder(1).tls(tls(1)).listen("0.0.0.0:0").build())))
        .isNotNull();
  }

  @Test
  void shouldNotOpenWithACertificateForAnotherNode() {
    NodeConfig.Builder settings = nodes.builder(1).tls(tls(2, 3));

    assertThatThrownBy(() -> Node.open(settings.build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected=ringwire://default/node/1")
        .hasMessageContaining("actual=[ringwire://default/node/2, ringwire://default/node/3]");
    assertThatThrownBy(() -> Node.open(settings.transport("loopback").build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("loopback stays within a process and has no TLS");
  }

  @Test
  void shouldTellBothSidesWhenOnlyOneHasTls() {
    Node plain = open(1, null);
    Node secured = open(2, tls(2));

    assertThatThrownBy(() -> plain.request(2, new Ping(7), Pong.class, SOON))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining("this looks like an alert of TLS, which the peer demands");
    awaitRefusal("2: no TLS connection");
    awaitRefusal("the peer is a node without TLS; this node demands it");
    assertThatThrownBy(() -> secured.request(1, new Ping(7), Pong.class, SOON))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining("the peer does not speak TLS, which this node demands");
    awaitRefusal("1: MALFORMED: the peer speaks another protocol: this looks like TLS");
    await("it is counted", () -> secured.metrics().rejections().getOrDefault("TLS", 0L) >= 2);
  }

  // Certificates that are not good.

  private SSLSocket connect(Node node, @Nullable Identity identity) throws IOException {
    String address = String.valueOf(node.address());
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    SSLSocket socket =
        (SSLSocket)
            TestCertificates.context(identity, AUTHORITY.certificate())
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) TestNodes.PATIENCE.toMillis());
    return socket;
  }

  /** A peer whose certificate is not accepted hears an alert; the node says why, and goes on. */
  private void assertRefuses(@Nullable Identity identity, String alert, String text)
      throws IOException {
    Node one = open(1, tls(1));
    Node two = open(2, tls(2));
    assertAnswers(two, 1);
    try (SSLSocket peer = connect(one, identity)) {
      assertThatThrownBy(() -> peer.getInputStream().read())
          .isInstanceOf(SSLException.class)
          .hasMessageContaining(alert);
    }
    awaitRefusal(text);
    assertThat(one.metrics().rejections()).containsEntry("TLS", 1L);
    assertThat(one.metrics().handshakesRefused()).isEqualTo(1);
    assertThat(one.metrics().connectionsLost()).isZero();
    assertAnswers(two, 1);
  }

  @Test
  void shouldRefuseAnExpiredCertificate() throws IOException {
    Instant now = Instant.now();
    Identity old =
        AUTHORITY.issue(
            "old", now.minusSeconds(7200), now.minusSeconds(3600), TlsNames.of(CLUSTER, 3));
    assertRefuses(old, "certificate_unknown", "the peer's certificate has expired: notAfter=");
  }

  @Test
  void shouldRefuseACertificateOfTheFuture() throws IOException {
    Instant now = Instant.now();
    Identity next =
        AUTHORITY.issue(
            "next", now.plusSeconds(3600), now.plusSeconds(7200), TlsNames.of(CLUSTER, 3));
    assertRefuses(next, "certificate_unknown", "is not valid yet: notBefore=");
  }

  @Test
  void shouldRefuseACertificateOfAnotherCluster() throws IOException {
    assertRefuses(
        AUTHORITY.issue("x", TlsNames.of("other", 3)),
        "certificate_unknown",
        "expected=ringwire://default/node/ID actual=[ringwire://other/node/3]");
  }

  @Test
  void shouldRefuseACertificateWithoutTheNameOfANode() throws IOException {
    assertRefuses(
        AUTHORITY.issue("x", "node-3.example.org"), "certificate_unknown", "actual=no such name");
  }

  @Test
  void shouldRefuseAPeerWithoutCertificate() throws IOException {
    assertRefuses(null, "certificate_required", "Empty client certificate chain");
  }

  @Test
  void shouldTellBothSidesOfACertificateOfAnotherAuthority() {
    Identity own = STRANGER.issue("two", TlsNames.of(CLUSTER, 2));
    Node one = open(1, tls(1));
    Node two = open(2, TestCertificates.tls(folder, own, AUTHORITY.certificate()));

    assertThatThrownBy(() -> two.request(1, new Ping(7), Pong.class, SOON))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining("the peer refused: alert=certificate_unknown")
        .hasMessageContaining("it does not accept the certificate of this node");
    awaitRefusal(
        "does not lead to one that this node trusts: expected=[CN=authority] issuer=CN=stranger");
    assertThat(one.metrics().rejections()).containsKey("TLS");
  }

  /** Many authorities issue certificates for servers only; nobody is to look for another one. */
  @Test
  void shouldSayThatACertificateIsNotForClients() {
    byte[] servers = TestCertificates.forPurpose(1);
    Identity own = AUTHORITY.issueLimited("two", servers, TlsNames.of(CLUSTER, 2));
    open(1, tls(1));
    Node two = open(2, TestCertificates.tls(folder, own, AUTHORITY.certificate()));
    try (LogRecorder log = LogRecorder.of(Logger.getLogger("org.ringwire"), Level.WARNING)) {
      assertThatThrownBy(() -> two.request(1, new Ping(7), Pong.class, SOON))
          .isInstanceOf(NodeUnreachableException.class)
          .hasMessageContaining("for clients and servers alike");
      assertThat(log.records())
          .singleElement()
          .extracting(LogRecord::getMessage)
          .asString()
          .contains("node 2: peers refuse links that this node opens")
          .contains("its extendedKeyUsage has no clientAuth");
    }
    awaitRefusal("the peer's certificate is not for clients of TLS: its extendedKeyUsage has no");
  }

  @Test
  void shouldNotConnectToAnExpiredCertificate() throws Exception {
    Instant now = Instant.now();
    Identity old =
        AUTHORITY.issue(
            "old", now.minusSeconds(7200), now.minusSeconds(3600), TlsNames.of(CLUSTER, 2));
    Node one = open(1, tls(1));
    try (SSLServerSocket server = listen(old)) {
      CompletableFuture<String> heard = CompletableFuture.supplyAsync(() -> alertAt(server));
      assertThatThrownBy(() -> one.request(2, new Ping(7), Pong.class, SOON))
          .isInstanceOf(NodeUnreachableException.class)
          .hasMessageContaining("the peer's certificate has expired");
      assertThat(heard.get()).contains("certificate_expired");
    }
  }

  private SSLServerSocket listen(Identity identity) throws IOException {
    SSLServerSocket server =
        (SSLServerSocket)
            TestCertificates.context(identity, AUTHORITY.certificate())
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress());
    server.setNeedClientAuth(true);
    server.setSoTimeout((int) TestNodes.PATIENCE.toMillis());
    nodes.directory().put(2, "127.0.0.1:" + server.getLocalPort());
    return server;
  }

  private static String alertAt(SSLServerSocket server) {
    try (SSLSocket accepted = (SSLSocket) server.accept()) {
      accepted.setSoTimeout((int) TestNodes.PATIENCE.toMillis());
      return "no alert, but " + accepted.getInputStream().read();
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  // Who claims to be another node.

  @Test
  void shouldRefuseWhoClaimsAnotherIdThanItsCertificate() throws IOException {
    Node one = open(1, tls(1));
    try (SSLSocket socket = connect(one, AUTHORITY.issue("three", TlsNames.of(CLUSTER, 3)));
        RawPeer peer = RawPeer.over(socket)) {
      RawPeer.Frame frame =
          peer.send(RawPeer.hello(5, 9, CLUSTER).encode()).await(FrameLayout.REFUSE);
      Refusal refusal = Refusal.parse(frame.memory(), 0, FrameLayout.readHeader(frame.memory(), 0));
      assertThat(refusal.reason()).isEqualTo(RefusalReason.AUTHENTICATION);
      assertThat(refusal.text()).contains("expected=[3] actual=5");
    }
    awaitRefusal("1: AUTHENTICATION: a peer claims to be another node");
    assertThat(one.metrics().rejections()).containsEntry("AUTHENTICATION", 1L);
  }

  @Test
  void shouldWelcomeWhoIsWhatItsCertificateSays() throws IOException {
    Node one = open(1, tls(1));
    try (SSLSocket socket = connect(one, AUTHORITY.issue("three", TlsNames.of(CLUSTER, 3)));
        RawPeer peer = RawPeer.over(socket)) {
      assertThat(peer.send(RawPeer.hello(3, 9, CLUSTER).encode()).await(FrameLayout.WELCOME))
          .isNotNull();
    }
  }

  @Test
  void shouldNotTalkToWhoAnswersAsAnotherNodeThanItsCertificate() throws Exception {
    Node one = open(1, tls(1));
    try (SSLServerSocket server = listen(AUTHORITY.issue("three", TlsNames.of(CLUSTER, 3)))) {
      CompletableFuture<String> heard = CompletableFuture.supplyAsync(() -> answerAsTwo(server));
      assertThatThrownBy(() -> one.request(2, new Ping(7), Pong.class, SOON))
          .isInstanceOf(NodeUnreachableException.class)
          .hasMessageContaining("a peer claims to be another node than it has proved");
      assertThat(heard.get()).contains("expected=[3] actual=2");
    }
  }

  private static String answerAsTwo(SSLServerSocket server) {
    try (SSLSocket accepted = (SSLSocket) server.accept();
        RawPeer peer = RawPeer.over(accepted)) {
      RawPeer.Frame hello = peer.await(FrameLayout.HELLO);
      long incarnation =
          org.ringwire.wire.Hello.parse(
                  hello.memory(), 0, FrameLayout.readHeader(hello.memory(), 0))
              .incarnation()
              .id();
      Welcome welcome =
          new Welcome(
              Handshake.VERSION,
              0,
              2,
              new Incarnation(77, 0),
              incarnation,
              true,
              true,
              null,
              new Limits(64 << 20, 64 << 10, 64 << 10),
              List.of());
      RawPeer.Frame close = peer.send(welcome.encode()).lastBeforeEnd(FrameLayout.CLOSE);
      return close == null ? "no CLOSE" : new String(close.bytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  // New certificates.

  private X509Certificate shown(Node node) throws IOException {
    try (SSLSocket socket = connect(node, AUTHORITY.issue("probe", TlsNames.of(CLUSTER, 9)))) {
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  @Test
  void shouldUseNewCertificatesForNewConnectionsAndKeepTheOldOnes() throws IOException {
    Path own = folder.resolve("own.pem");
    Path trust = folder.resolve("trust.pem");
    Identity first = AUTHORITY.issue("first", TlsNames.of(CLUSTER, 1));
    Identity second = AUTHORITY.issue("second", TlsNames.of(CLUSTER, 1));
    TestCertificates.writePem(own, first);
    TestCertificates.writePem(trust, AUTHORITY.certificate());
    Tls tls = Tls.load(own, trust, null);
    Node one = open(1, tls);
    Node two = open(2, tls(2));
    assertAnswers(two, 1);
    assertThat(shown(one)).isEqualTo(first.chain().getFirst());

    TestCertificates.writePem(own, second);
    TestCertificates.writePem(trust, AUTHORITY.certificate(), STRANGER.certificate());
    tls.reload();
    assertThat(shown(one)).isEqualTo(second.chain().getFirst());
    Identity guest = STRANGER.issue("guest", TlsNames.of(CLUSTER, 3));
    Node three = open(3, TestCertificates.tls(folder, guest, AUTHORITY.certificate()));
    assertAnswers(three, 1);
    assertAnswers(two, 1);
    assertThat(two.metrics().connectionsLost() + two.metrics().connectionsClosed()).isZero();
  }

  @Test
  void shouldFollowTheFilesAndKeepWhatWorks() throws IOException {
    Path own = folder.resolve("own.pem");
    Path trust = folder.resolve("trust.pem");
    Identity first = AUTHORITY.issue("first", TlsNames.of(CLUSTER, 1));
    Identity second = AUTHORITY.issue("the second one", TlsNames.of(CLUSTER, 1));
    Identity wrong = AUTHORITY.issue("another one", TlsNames.of(CLUSTER, 2));
    TestCertificates.writePem(own, first);
    TestCertificates.writePem(trust, AUTHORITY.certificate());
    Tls tls = Tls.load(own, trust, null);
    Node one = open(1, tls);

    Files.writeString(own, "-----BEGIN NONSENSE");
    assertThatThrownBy(tls::reload)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(own + ": it has no private key");
    assertThat(shown(one)).isEqualTo(first.chain().getFirst());
    TestCertificates.writePem(own, wrong);
    tls.reload(); // good in itself, but not for this node
    assertThat(shown(one)).isEqualTo(first.chain().getFirst());
    TestCertificates.writePem(own, second);
    await(
        "the new certificate is shown",
        () -> {
          try {
            return shown(one).equals(second.chain().getFirst());
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }
}
