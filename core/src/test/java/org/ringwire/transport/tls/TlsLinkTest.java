package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.IdleStrategy;
import org.ringwire.TlsNames;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.TestCertificates;
import org.ringwire.transport.Faults;
import org.ringwire.transport.FaultyTransport;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.PatternSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;
import org.ringwire.transport.tcp.TcpTransportProvider;

/** Records, keys, sessions and ends of links with TLS. */
@ExtendWith(NodeWatcher.class)
class TlsLinkTest {

  private static final TestCertificates AUTHORITY = new TestCertificates("links");

  @TempDir private Path folder;

  private final List<Transport> transports = new ArrayList<>();
  private final List<PatternSource> sources = new ArrayList<>();
  private final TransportProvider tcp = new TcpTransportProvider();

  @AfterEach
  void close() {
    transports.forEach(Transport::close);
    sources.forEach(PatternSource::close);
  }

  private TlsTransport open(int nodeId, TransportProvider medium, Duration handshakeTimeout) {
    TransportConfig plain =
        new TransportConfig(nodeId, 1, IdleStrategy.parking(), 1 << 20, handshakeTimeout);
    TransportConfig secured =
        new TransportConfig(
            nodeId,
            1,
            IdleStrategy.parking(),
            1 << 20,
            handshakeTimeout,
            plain.cluster(),
            AUTHORITY.tls(folder, plain.cluster(), nodeId));
    TlsTransport transport = (TlsTransport) TlsTransport.over(medium.open(plain), secured);
    transports.add(transport);
    return transport;
  }

  private TlsTransport open(int nodeId) {
    return open(nodeId, tcp, TestNodes.PATIENCE);
  }

  private PatternSource source(int rangeLength) {
    PatternSource source = new PatternSource(1, rangeLength);
    sources.add(source);
    return source;
  }

  private static ProbeHandler sending(PatternSource source) {
    return new ProbeHandler() {
      @Override
      protected void resume() {
        source.resume(link());
      }
    };
  }

  private static String listen(Transport transport, LinkHandler... handlers) throws IOException {
    Queue<LinkHandler> queue = new ConcurrentLinkedQueue<>(List.of(handlers));
    return transport.listen("127.0.0.1:0", remote -> queue.poll());
  }

  // Records.

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 21, 22, 23, 1000})
  void shouldPutRecordsTogetherFromPiecesOfEveryLength(int piece) throws IOException {
    TransportProvider pieces =
        FaultyTransport.provider(tcp, Faults.NONE.withMaxRead(piece).withMaxWrite(10 * piece));
    PatternSource source = source(5000);
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = sending(source);
    String address = listen(open(1, pieces, TestNodes.PATIENCE), server);
    open(2, pieces, TestNodes.PATIENCE).connect(address, client);
    source.offer(client.link(), 60_000);
    source.awaitSent();
    server.awaitReceived(60_000);
    client.link().close();
    assertThat(server.cause()).isNull();
  }

  @Test
  void shouldCarryContentOfEveryLength() throws IOException {
    PatternSource source = source(40_000);
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = sending(source);
    open(2).connect(listen(open(1), server), client);
    long sum = 0;
    for (int length = 1; length <= 300; length++) {
      source.offer(client.link(), length);
      sum += length;
    }
    for (int length = 16_340; length <= 16_400; length++) {
      source.offer(client.link(), length);
      sum += length;
    }
    source.awaitSent();
    server.awaitReceived(sum);
  }

  @Test
  void shouldHoldNoBuffersWhileLinksAreIdle() throws IOException {
    PatternSource source = source(1000);
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = sending(source);
    TlsTransport listening = open(1);
    TlsTransport connecting = open(2);
    connecting.connect(listen(listening, server), client);
    source.offer(client.link(), 1_000_000);
    source.awaitSent();
    server.awaitReceived(1_000_000);
    Awaiting.await("writer's", () -> connecting.buffers().lent() == 0);
    Awaiting.await("reader's", () -> listening.buffers().lent() == 0);
    connecting.trim();
    listening.trim();
  }

  // Keys.

  @ParameterizedTest
  @ValueSource(longs = {1, 10_000})
  void shouldChangeKeysInMidstream(long bytes) throws IOException {
    PatternSource there = source(1000);
    PatternSource back = source(1000);
    ProbeHandler server = sending(back);
    ProbeHandler client = sending(there);
    System.setProperty(TlsTransport.KEY_UPDATE_BYTES, String.valueOf(bytes));
    TlsTransport listening;
    TlsTransport connecting;
    try {
      listening = open(1);
      connecting = open(2);
    } finally {
      System.clearProperty(TlsTransport.KEY_UPDATE_BYTES);
    }
    connecting.connect(listen(listening, server), client);
    for (int i = 0; i < 50; i++) {
      there.offer(client.link(), 1 + 997 * i);
      back.offer(server.link(), 1 + 997 * i);
    }
    there.awaitSent();
    back.awaitSent();
    server.awaitReceived(there.sent());
    client.awaitReceived(back.sent());
    assertThat(listening.keyUpdates()).isGreaterThanOrEqualTo(10);
    assertThat(connecting.keyUpdates()).isGreaterThanOrEqualTo(10);
  }

  // Sessions.

  @Test
  void shouldResumeTheSessionOfThePeerThatIsOpenedAgain() throws IOException {
    TlsTransport listening = open(1);
    TlsTransport connecting = open(2);
    ProbeHandler[] servers = {new ProbeHandler(), new ProbeHandler(), new ProbeHandler()};
    PatternSource[] answers = {source(10), source(10), source(10)};
    String address = listen(listening, servers);
    for (int i = 0; i < servers.length; i++) {
      ProbeHandler client = new ProbeHandler();
      connecting.connect(address, client);
      answers[i].offer(servers[i].link(), 10); // comes after the ticket
      client.awaitReceived(10);
      assertThat(servers[i].link().peer().nodeIds()).containsExactly(2);
      assertThat(client.link().peer().nodeIds()).containsExactly(1);
      client.link().close();
      assertThat(servers[i].cause()).isNull();
      assertThat(listening.contexts().checks()).as("full handshakes").isEqualTo(1);
      assertThat(connecting.contexts().checks()).as("full handshakes").isEqualTo(1);
    }
  }

  // Cipher suites.

  @ParameterizedTest
  @CsvSource({
    "TLS_AES_256_GCM_SHA384;TLS_AES_128_GCM_SHA256, TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384, TLS_AES_256_GCM_SHA384"
  })
  void shouldAgreeOnTheFastSuiteWherePeersHaveIt(String offered, String expected)
      throws IOException {
    ProbeHandler server = new ProbeHandler();
    String address = listen(open(1), server);
    try (SSLSocket raw = unsecured(socket(address))) {
      raw.setEnabledCipherSuites(offered.split(";", -1));
      raw.startHandshake();
      assertThat(raw.getSession().getCipherSuite()).isEqualTo(expected);
    }
  }

  @Test
  void shouldOfferTheFastSuiteFirstAndNoneThatTheJdkDoesNot() {
    SSLEngine engine = open(1).contexts().client("127.0.0.1:1").engine();

    assertThat(engine.getEnabledCipherSuites()).startsWith("TLS_AES_128_GCM_SHA256");
    assertThat(TlsContexts.ordered(new String[] {"B", "TLS_AES_128_GCM_SHA256", "A"}))
        .containsExactly("TLS_AES_128_GCM_SHA256", "B", "A");
    assertThat(TlsContexts.ordered(new String[] {"B", "A"})).containsExactly("B", "A");
  }

  // The end.

  private static Socket socket(String address) throws IOException {
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) TestNodes.PATIENCE.toMillis());
    return socket;
  }

  private static SSLSocket secured(Socket socket) throws IOException {
    SSLSocket secured = unsecured(socket);
    secured.startHandshake();
    return secured;
  }

  private static SSLSocket unsecured(Socket socket) throws IOException {
    return (SSLSocket)
        TestCertificates.context(
                AUTHORITY.issue("raw", TlsNames.of("default", 3)), AUTHORITY.certificate())
            .getSocketFactory()
            .createSocket(socket, "localhost", socket.getPort(), true);
  }

  @Test
  void shouldTellTruncationFromAnOrderlyEnd() throws IOException {
    ProbeHandler truncated = new ProbeHandler();
    ProbeHandler orderly = new ProbeHandler();
    String address = listen(open(1), truncated, orderly);
    try (Socket socket = socket(address)) {
      SSLSocket _ = secured(socket);
      truncated.link();
    }
    assertThat(truncated.cause())
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("TLS stream truncated")
        .hasMessageContaining("without close_notify");
    try (Socket socket = socket(address);
        SSLSocket secured = secured(socket)) {
      orderly.link();
      assertThat(secured.isConnected()).isTrue();
    }
    assertThat(orderly.cause()).isNull();
  }

  @Test
  void shouldEndOnRecordsThatWereChangedOnTheWay() throws IOException {
    ProbeHandler server = new ProbeHandler();
    try (Socket socket = socket(listen(open(1), server))) {
      SSLSocket _ = secured(socket);
      server.link();
      byte[] record = new byte[5 + 40];
      record[0] = 23;
      record[1] = 3;
      record[2] = 3;
      record[4] = 40;
      socket.getOutputStream().write(record);
      assertThat(server.cause())
          .isInstanceOf(SSLException.class)
          .hasMessageContaining("TLS failed");
    }
  }

  @Test
  void shouldEndOnRecordsThatAreTooLong() throws IOException {
    ProbeHandler server = new ProbeHandler();
    try (Socket socket = socket(listen(open(1), server))) {
      SSLSocket _ = secured(socket);
      server.link();
      socket.getOutputStream().write(new byte[] {23, 3, 3, -1, -1});
      assertThat(server.cause()).hasMessageContaining("impossible length: length=65535");
    }
  }

  @Test
  void shouldAnswerWhatIsNotTlsWithAnAlert() throws IOException {
    ProbeHandler server = new ProbeHandler();
    try (Socket socket = socket(listen(open(1), server))) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      assertThat(in.readNBytes(7)).containsExactly(21, 3, 3, 0, 2, 2, 10);
      assertThat(in.readAllBytes()).hasSize(7);
    }
    assertThat(server.cause())
        .hasMessageContaining("the peer does not speak TLS")
        .hasMessageContaining("GET / HTTP/1.1.");
    assertThat(server.isOpened()).isFalse();
  }

  @Test
  void shouldEndOnWarningsBeforeTheHandshake() throws IOException {
    ProbeHandler server = new ProbeHandler();
    try (Socket socket = socket(listen(open(1), server))) {
      socket.getOutputStream().write(new byte[] {21, 3, 3, 0, 2, 1, 10});
      assertThat(server.cause()).hasMessageContaining("warns before the handshake is over");
    }
    assertThat(server.isOpened()).isFalse();
  }

  @Test
  void shouldBoundTheBytesOfHandshakes() throws IOException {
    ProbeHandler server = new ProbeHandler();
    try (Socket socket = socket(listen(open(1), server))) {
      byte[] cancellations = new byte[7 * 20_000]; // each is ignored
      for (int i = 0; i < cancellations.length; i += 7) {
        System.arraycopy(new byte[] {21, 3, 3, 0, 2, 1, 90}, 0, cancellations, i, 7);
      }
      try {
        socket.getOutputStream().write(cancellations);
      } catch (SocketException e) {
        // the other side has had enough before all was written
      }
      assertThat(server.cause()).hasMessageContaining("the peer sends more than a handshake");
    }
    assertThat(server.isOpened()).isFalse();
  }

  @Test
  void shouldBoundTheTimeOfHandshakes() throws IOException {
    ProbeHandler server = new ProbeHandler();
    String address = listen(open(1, tcp, Duration.ofMillis(200)), server);
    try (Socket socket = socket(address)) {
      socket.getOutputStream().write(22); // the beginning of a record
      assertThat(server.cause()).hasMessageContaining("the handshake was not over in time");
      socket.getInputStream().readAllBytes(); // ends
    }
  }

  /** Workers that are late do nothing any more for a peer that has waited for too long. */
  @Test
  void shouldEndAHandshakeThatIsLateInPlaceOfMoreOfItsWork() throws Exception {
    ProbeHandler server = new ProbeHandler();
    TlsTransport listening = open(1, tcp, Duration.ofMillis(200));
    String address = listen(listening, server);
    Semaphore leaving = new Semaphore(0);
    int workers = Math.min(4, Runtime.getRuntime().availableProcessors());
    for (int i = 0; i < workers; i++) {
      assertThat(listening.execute(leaving::acquireUninterruptibly)).isTrue();
    }
    try (Socket socket = socket(address)) {
      socket.getOutputStream().write(clientHello());
      Awaiting.await("the link, or its end", () -> listening.links() == 1 || server.isClosed());
      long beganNs = System.nanoTime();
      Awaiting.await("the deadline", () -> System.nanoTime() - beganNs > 200_000_000);
      leaving.release(); // one of them, which finds the link's work, and then its deadline

      assertThat(socket.getInputStream().read()).as("the end").isEqualTo(-1);
      assertThat(server.cause()).hasMessageContaining("the handshake was not over in time");
    } finally {
      leaving.release(workers);
    }
  }

  private byte[] clientHello() throws SSLException {
    SSLEngine engine = open(2).contexts().client("127.0.0.1:1").engine();
    ByteBuffer record = ByteBuffer.allocate(TlsBuffers.RECORD);
    engine.beginHandshake();
    SSLEngineResult _ = engine.wrap(ByteBuffer.allocate(0), record);
    return Arrays.copyOf(record.array(), record.position());
  }
}
