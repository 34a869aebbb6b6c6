package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.Authentication;
import org.ringwire.Dispatch;
import org.ringwire.IdleStrategy;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeMetrics.ConnectionMetrics;
import org.ringwire.NodeUnreachableException;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.TestCertificates;
import org.ringwire.transport.ForwardingLocalTransport;
import org.ringwire.transport.ForwardingTransport;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.LocalTransport;
import org.ringwire.transport.Threads;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;
import org.ringwire.transport.shm.ShmTransportProvider;
import org.ringwire.transport.tcp.TcpTransportProvider;

/** Peers of the same machine are reached through shared memory, all others as ever. */
@ExtendWith(NodeWatcher.class)
class LocalTransportTest {

  record Ask(long number) {}

  private static final TransportConfig CONFIG =
      new TransportConfig(9, 1, IdleStrategy.parking(), 1 << 16, PATIENCE);

  @TempDir Path temporary;

  private final TestNodes nodes = new TestNodes("tcp");

  @AfterEach
  void end() {
    nodes.close();
  }

  private static NodeConfig.Builder local(NodeConfig.Builder settings) {
    return settings.localTransport("shm");
  }

  private Node echoing(int id, UnaryOperator<NodeConfig.Builder> settings) {
    Node node = nodes.open(id, settings);
    node.handle(Ask.class, Dispatch.INLINE, (ask, exchange) -> exchange.reply(ask));
    return node;
  }

  private static void ask(Node node, int peer) {
    assertThat(node.request(peer, new Ask(7), Ask.class, PATIENCE)).isEqualTo(new Ask(7));
  }

  /** The next attempt after a loss may find that loss, and a peer that starts may refuse. */
  private static void askAgain(Node node, int peer) {
    await(
        "an answer",
        () -> {
          try {
            ask(node, peer);
            return true;
          } catch (MessagingException e) {
            return false;
          }
        });
  }

  private static String transportTo(Node node, int peer) {
    return node.metrics().connections().stream()
        .filter(connection -> connection.nodeId() == peer)
        .map(ConnectionMetrics::transport)
        .findFirst()
        .orElse("none");
  }

  @Test
  void shouldPreferSharedMemoryInBothDirections() {
    Node one = echoing(1, LocalTransportTest::local);
    Node two = echoing(2, LocalTransportTest::local);
    ask(one, 2);
    assertThat(transportTo(one, 2)).isEqualTo("shm");
    ask(two, 1);
    assertThat(transportTo(two, 1)).isEqualTo("shm");
    assertThat(one.address()).startsWith("127.0.0.1:");
    assertThat(one.metrics().connectAttempts()).isEqualTo(1);
  }

  private static List<String> threadsOf(Node node) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("ringwire-" + node.id() + "-"))
        .toList();
  }

  @Test
  void shouldNameTheThreadsOfBothTransports() {
    assertThat(threadsOf(echoing(1, LocalTransportTest::local)))
        .contains("ringwire-1-io-0", "ringwire-1-shm-io-0")
        .doesNotHaveDuplicates();
  }

  /** As {@link NodeConfig.Builder#localTransport} says, for those who plan threads and memory. */
  @Test
  void shouldHaveAsManyIoThreadsForEachTransport() {
    assertThat(threadsOf(echoing(1, settings -> local(settings).ioThreads(2))))
        .filteredOn(name -> name.contains("io-"))
        .containsExactlyInAnyOrder(
            "ringwire-1-io-0", "ringwire-1-io-1", "ringwire-1-shm-io-0", "ringwire-1-shm-io-1");
  }

  @Test
  void shouldFindPeerThatListensOnEveryAddress() {
    Node one = echoing(1, settings -> local(settings.authentication(Authentication.none())));
    Node two =
        echoing(
            2,
            settings -> local(settings.listen("0.0.0.0:0").authentication(Authentication.none())));
    String bound = String.valueOf(two.address());
    nodes.directory().put(2, "localhost" + bound.substring(bound.lastIndexOf(':')));
    ask(one, 2);
    assertThat(transportTo(one, 2)).isEqualTo("shm");
  }

  @Test
  void shouldServePeerWithoutListener() {
    Node one = nodes.added(Node.open(local(nodes.builder(1)).build()));
    Node two = echoing(2, LocalTransportTest::local);
    one.handle(Ask.class, Dispatch.INLINE, (ask, exchange) -> exchange.reply(ask));
    int found = one.connect(String.valueOf(two.address()), PATIENCE);
    assertThat(found).isEqualTo(2);
    assertThat(transportTo(one, 2)).isEqualTo("shm");
    ask(two, 1);
    assertThat(transportTo(two, 1)).isEqualTo("shm");
  }

  @Test
  void shouldUseTheOtherTransportForPeersThatDoNotPreferThisOne() {
    Node one = echoing(1, LocalTransportTest::local);
    Node two = echoing(2, settings -> settings);
    ask(one, 2);
    ask(two, 1);
    assertThat(transportTo(one, 2)).isEqualTo("tcp");
    assertThat(transportTo(two, 1)).isEqualTo("tcp");
  }

  @Test
  void shouldFollowPeersThatStartAgain() {
    Node one = echoing(1, LocalTransportTest::local);
    Node two = echoing(2, LocalTransportTest::local);
    String address = String.valueOf(two.address());
    ask(one, 2);
    two.close();
    await("gone", () -> one.metrics().connections().isEmpty());
    Node withoutIt = echoing(2, settings -> settings.listen(address));
    askAgain(one, 2);
    assertThat(transportTo(one, 2)).isEqualTo("tcp");
    withoutIt.close();
    await("gone", () -> one.metrics().connections().isEmpty());
    echoing(2, settings -> local(settings.listen(address)));
    askAgain(one, 2);
    assertThat(transportTo(one, 2)).isEqualTo("shm");
  }

  /** A transport through which peers find a socket that somebody has left behind. */
  private Node openThatFinds(int id, Path socket) {
    return open(id, finding(socket));
  }

  private static TransportProvider finding(Path socket) {
    return ForwardingTransport.provider(
        "shm",
        config ->
            new ForwardingLocalTransport(new ShmTransportProvider().open(config)) {
              @Override
              public String find(String name) {
                return socket.toString();
              }
            });
  }

  @Test
  void shouldUseTheOtherTransportWhereNobodyListensAnyMore() throws IOException {
    Path socket = temporary.resolve("socket");
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(socket));
    }
    assertThat(socket).exists();
    echoing(2, settings -> settings);
    Node one = openThatFinds(1, socket);
    ask(one, 2);
    assertThat(transportTo(one, 2)).isEqualTo("tcp");
    assertThat(one.metrics().connectAttempts()).isEqualTo(1);
  }

  /** As one of a user's own may, or one for which there is no memory. */
  @Test
  void shouldFailAtOnceWhereTheOtherTransportFailsToConnect() throws IOException {
    Path socket = temporary.resolve("socket");
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(socket));
    }
    TransportProvider main =
        ForwardingTransport.provider(
            "tcp",
            config ->
                new ForwardingTransport(new TcpTransportProvider().open(config)) {
                  @Override
                  public void connect(String address, LinkHandler handler) {
                    throw new IllegalStateException("connects to nobody");
                  }
                });
    echoing(2, settings -> settings);
    Node one = open(1, main, finding(socket));
    assertThatThrownBy(() -> ask(one, 2))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining("connects to nobody");
    await("nothing is left of it", ((MessagingNode) one).connections()::allSettled);
  }

  /** What somebody does who listens on a socket that was found. */
  @FunctionalInterface
  private interface Answer {
    void to(SocketChannel peer) throws IOException;
  }

  private void shouldUseTheOtherTransportAfter(Answer answer) throws Exception {
    Path socket = temporary.resolve("socket");
    try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of(socket));
      Threads threads = new Threads();
      threads.start(() -> {
        try (SocketChannel peer = listener.accept()) {
          answer.to(peer);
        }
      });
      echoing(2, settings -> settings);
      Node one = openThatFinds(1, socket);
      ask(one, 2);
      assertThat(transportTo(one, 2)).isEqualTo("tcp");
      threads.join();
    }
  }

  @Test
  void shouldUseTheOtherTransportWhereSomebodyHangsUp() throws Exception {
    shouldUseTheOtherTransportAfter(SocketChannel::close);
  }

  /** As a build does that shares memory in another layout. */
  @Test
  void shouldUseTheOtherTransportWherePeerSpeaksAnotherVersion() throws Exception {
    byte[] greeting = HexFormat.of().parseHex("525753484d000001" + "000000022f78");
    shouldUseTheOtherTransportAfter(peer -> {
      peer.write(ByteBuffer.wrap(greeting));
      try {
        while (peer.read(ByteBuffer.allocate(256)) >= 0) {} // to the end
      } catch (SocketException e) {
        // an end, too: the node has not read all of it
      }
    });
  }

  /** The other end of a link that was found must be the node that was meant. */
  @Test
  void shouldNotTalkToAnotherNodeThatWasFound() {
    Node two = echoing(2, LocalTransportTest::local);
    String socket = find(two);
    echoing(3, settings -> settings);
    Node one = openThatFinds(1, Path.of(socket));
    assertThatThrownBy(() -> ask(one, 3))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining("expected=3 actual=2");
  }

  private static String find(Node node) {
    try (Transport tcp = new TcpTransportProvider().open(CONFIG);
        LocalTransport shm = (LocalTransport) new ShmTransportProvider().open(CONFIG)) {
      String name = tcp.localNames(String.valueOf(node.address())).getFirst();
      return String.valueOf(shm.find(name));
    }
  }

  @Test
  void shouldUseTheOtherTransportWhereThereIsNoFolderToShare() {
    Node one =
        open(
            1,
            ForwardingTransport.provider(
                "shm",
                config -> {
                  throw new UncheckedIOException(new IOException("no folder for shared memory"));
                }));
    echoing(2, LocalTransportTest::local);
    ask(one, 2);
    assertThat(transportTo(one, 2)).isEqualTo("tcp");
  }

  @Test
  void shouldUseTheOtherTransportWhereNothingCanBeAnnounced() {
    Node one =
        open(
            1,
            ForwardingTransport.provider(
                "shm",
                config ->
                    new ForwardingLocalTransport(new ShmTransportProvider().open(config)) {
                      @Override
                      public void announce(String name) throws IOException {
                        throw new IOException("not a folder of this user alone");
                      }
                    }));
    one.handle(Ask.class, Dispatch.INLINE, (ask, exchange) -> exchange.reply(ask));
    Node two = echoing(2, LocalTransportTest::local);
    ask(two, 1);
    assertThat(transportTo(two, 1)).isEqualTo("tcp");
    ask(one, 2);
    assertThat(transportTo(one, 2)).isEqualTo("shm"); // peers can be found all the same
  }

  @Test
  void shouldAskForTheSecretHereToo() {
    byte[] secret = new byte[32];
    byte[] another = new byte[32];
    another[31] = 1;
    Node one = echoing(1, with(secret));
    echoing(2, with(secret));
    Node three = echoing(3, with(another));
    ask(one, 2);
    assertThat(transportTo(one, 2)).isEqualTo("shm");
    assertThatThrownBy(() -> ask(three, 2))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining("AUTHENTICATION");
    assertThatThrownBy(() -> ask(one, 3))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining("AUTHENTICATION");
  }

  private static UnaryOperator<NodeConfig.Builder> with(byte[] secret) {
    return settings -> local(settings.authentication(Authentication.sharedSecret(secret)));
  }

  @Test
  void shouldExcludeCertificatesWhichNobodyCouldAskForHere() {
    NodeConfig.Builder settings =
        local(NodeConfig.builder(1).cluster("orders"))
            .tls(new TestCertificates("authority").tls(temporary, "orders", 1));
    assertThatThrownBy(settings::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("certificates")
        .hasMessageContaining("localTransport=shm");
  }

  @Test
  void shouldRefuseTransportThatIsNotForOneMachine() {
    NodeConfig config = NodeConfig.builder(1).localTransport("tcp").build();
    assertThatThrownBy(() -> Node.open(config))
        .isInstanceOf(MessagingException.class)
        .hasMessageContaining("localTransport=tcp");
    NodeConfig unknown = NodeConfig.builder(1).localTransport("carrier-pigeon").build();
    assertThatThrownBy(() -> Node.open(unknown))
        .isInstanceOf(MessagingException.class)
        .hasMessageContaining("no such transport: localTransport=carrier-pigeon");
  }

  @Test
  void shouldEndBothWhenItCannotListen() {
    Node one = echoing(1, LocalTransportTest::local);
    NodeConfig config = local(NodeConfig.builder(2)).listen(String.valueOf(one.address())).build();
    assertThatThrownBy(() -> Node.open(config)).hasMessageContaining("in use");
    echoing(3, LocalTransportTest::local);
    nodes.directory().put(1, String.valueOf(one.address()));
    ask(nodes.open(4, LocalTransportTest::local), 1); // still found: that was not taken over
  }

  @Test
  void shouldNameListenersAsTheKernelFindsThem() throws IOException {
    try (Transport tcp = new TcpTransportProvider().open(CONFIG)) {
      List<String> one = tcp.localNames("127.0.0.1:7400");
      assertThat(one).hasSize(3);
      assertThat(tcp.localNames("0.0.0.0:7400")).isEqualTo(one.subList(1, 3));
      assertThat(tcp.localNames("[::]:7400")).isEqualTo(one.subList(2, 3));
      assertThat(tcp.localNames("127.0.0.1:7401")).doesNotContainAnyElementsOf(one);
      assertThat(tcp.localNames("127.0.0.2:7400").getFirst()).isNotEqualTo(one.getFirst());
      assertThat(tcp.localNames("192.0.2.1:7400")).isEmpty(); // documentation, on no machine
      assertThat(tcp.localNames("nonsense")).isEmpty();
      String bound = tcp.listen("127.0.0.1:0", remote -> null);
      assertThat(tcp.localNames(bound).getFirst())
          .endsWith("-127.0.0.1-" + bound.substring(bound.lastIndexOf(':') + 1));
    }
  }

  @Test
  void shouldNameListenersAlikeHoweverTheirInterfaceIsWritten() throws IOException {
    try (Transport tcp = new TcpTransportProvider().open(CONFIG)) {
      for (InetAddress own :
          NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses).toList()) {
        String literal = own.getHostAddress(); // of IPv6 with the name of the interface
        int scope = literal.indexOf('%');
        if (own instanceof Inet6Address inet6 && scope >= 0) {
          String host = literal.substring(0, scope);
          String bound = own.isLinkLocalAddress() ? host + "%" + inet6.getScopeId() : host;
          assertThat(tcp.localNames("[" + literal + "]:7400"))
              .hasSize(2)
              .isEqualTo(tcp.localNames("[" + bound + "]:7400"));
        }
      }
    }
  }

  private Node open(int id, TransportProvider local) {
    return open(id, new TcpTransportProvider(), local);
  }

  private Node open(int id, TransportProvider main, TransportProvider local) {
    NodeConfig config = local(nodes.builder(id)).listen("127.0.0.1:0").build();
    return nodes.added(MessagingNode.open(config, 1, main, local));
  }
}
