package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;
import static org.ringwire.transport.tls.TlsTransports.TCP;
import static org.ringwire.transport.tls.TlsTransports.listen;
import static org.ringwire.transport.tls.TlsTransports.socket;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Tls;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.TestCertificates;
import org.ringwire.transport.Faults;
import org.ringwire.transport.FaultyTransport;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.PatternSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Tap;
import org.ringwire.transport.TappedTransport;

/**
 * The second link of a pair resumes the session of the first: certificates are checked once on each
 * side. Node 2 opens the first link, to node 1, which opens the link back.
 */
@ExtendWith(NodeWatcher.class)
class TlsLinkBackTest {

  private static final int BYTES = 50_000;

  @TempDir private Path folder;

  private TlsTransports transports;
  private final List<PatternSource> sources = new ArrayList<>();

  @BeforeEach
  void prepare() {
    transports = new TlsTransports(folder);
  }

  @AfterEach
  void close() {
    transports.close();
    sources.forEach(PatternSource::close);
  }

  /** A handler of a link that carries data in both directions. */
  private final class End extends ProbeHandler {
    private final PatternSource source = new PatternSource(1, 1000);

    End() {
      sources.add(source);
    }

    @Override
    protected void resume() {
      source.resume(link());
    }

    static void carry(End from, End to) throws IOException {
      from.source.offer(from.link(), BYTES);
      from.source.awaitSent();
      to.awaitReceived(BYTES);
    }
  }

  /** The two links of two nodes. */
  private final class Pair {
    final End first = new End();
    final End accepted = new End();
    final End back = new End();
    final End backAccepted = new End();

    Link open(String oneAddress, TlsTransport two) {
      two.connect(oneAddress, first);
      assertThat(first.link()).isNotNull(); // so that node 1 would have heard from it
      return accepted.link();
    }

    void exchange() throws IOException {
      assertThat(first.link().peer().nodeIds()).containsExactly(1);
      assertThat(accepted.link().peer().nodeIds()).containsExactly(2);
      assertThat(back.link().peer().nodeIds()).containsExactly(2);
      assertThat(backAccepted.link().peer().nodeIds()).containsExactly(1);
      End.carry(back, backAccepted);
      End.carry(backAccepted, back);
      End.carry(first, accepted);
      End.carry(accepted, first);
    }

    void close() {
      first.link().close();
      back.link().close();
      assertThat(accepted.cause()).isNull();
      assertThat(backAccepted.cause()).isNull();
    }
  }

  private static void assertFullHandshakes(TlsTransport transport, int expected) {
    assertThat(transport.contexts().checks()).as("full handshakes").isEqualTo(expected);
  }

  @Test
  void shouldResumeTheSessionOfTheFirstLinkAndGoOnWithIt() throws IOException {
    TlsTransport one = transports.open(1);
    TlsTransport two = transports.open(2);
    Pair[] pairs = {new Pair(), new Pair(), new Pair()};
    String oneAddress = listen(one, pairs[0].accepted, pairs[1].accepted, pairs[2].accepted);
    String twoAddress =
        listen(two, pairs[0].backAccepted, pairs[1].backAccepted, pairs[2].backAccepted);

    for (Pair pair : pairs) {
      Link accepted = pair.open(oneAddress, two);
      one.connectBack(twoAddress, accepted, pair.back);

      pair.exchange();
      assertFullHandshakes(one, 1);
      assertFullHandshakes(two, 1);
      pair.close();
    }
    await("nothing is remembered", () -> one.opened().isEmpty() && two.opened().isEmpty());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldNotResumeWithOtherCredentials(int changed) throws IOException {
    Path own = folder.resolve("own.pem");
    Path trust = folder.resolve("trust.pem");
    TestCertificates.writePem(own, transports.identity(changed));
    TestCertificates.writePem(trust, transports.authority().certificate());
    Tls tls = Tls.load(own, trust, null);
    TlsTransport one = changed == 1 ? transports.open(1, TCP, tls) : transports.open(1);
    TlsTransport two = changed == 2 ? transports.open(2, TCP, tls) : transports.open(2);
    Pair pair = new Pair();
    Link accepted = pair.open(listen(one, pair.accepted), two);

    TestCertificates.writePem(own, transports.identity(changed));
    tls.reload();
    one.connectBack(listen(two, pair.backAccepted), accepted, pair.back);

    pair.exchange();
    assertFullHandshakes(changed == 1 ? one : two, 1); // with the new ones
    assertFullHandshakes(changed == 1 ? two : one, 2);
  }

  // The greeting.

  @Test
  void shouldWriteTheGreetingOfTheSpecification() {
    LinkReference reference = new LinkReference(0x1011121314151617L, 0x18191A1B1C1D1E1FL);

    assertThat(HexFormat.of().formatHex(reference.greeting()))
        .isEqualTo("52574241434b0001" + "101112131415161718191a1b1c1d1e1f");
    assertThat(LinkReference.ofGreeting(reference.greeting())).isEqualTo(reference);
    assertThat(LinkReference.mayBeGreeting(new byte[] {0x52, 0x57})).isTrue();
    assertThat(LinkReference.mayBeGreeting(new byte[] {0x52, 0x58})).isFalse();
    assertThat(LinkReference.mayBeGreeting(new byte[] {22, 3, 1})).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 23, 24, 25})
  void shouldPutTheGreetingTogetherFromPieces(int piece) throws IOException {
    TlsTransport one = transports.open(1);
    TlsTransport two =
        transports.open(2, FaultyTransport.provider(TCP, Faults.NONE.withMaxRead(piece)));
    Pair pair = new Pair();
    Link accepted = pair.open(listen(one, pair.accepted), two);

    one.connectBack(listen(two, pair.backAccepted), accepted, pair.back);

    pair.exchange();
    assertFullHandshakes(two, 1);
  }

  private static void assertRefuses(String address, LinkReference reference, ProbeHandler server)
      throws IOException {
    try (Socket socket = socket(address)) {
      socket.getOutputStream().write(reference.greeting());
      InputStream in = socket.getInputStream();
      assertThat(in.readNBytes(7)).containsExactly(21, 3, 3, 0, 2, 2, 10);
      assertThat(in.readAllBytes()).hasSize(7);
    }
    assertThat(server.cause())
        .hasMessageContaining("the peer opens the link back of one that is not open here");
    assertThat(server.isOpened()).isFalse();
  }

  @Test
  void shouldRefuseALinkBackOfALinkThatIsNotOpenHere() throws IOException {
    TlsTransport one = transports.open(1);
    TlsTransport two = transports.open(2);
    Pair pair = new Pair();
    ProbeHandler[] servers = {new ProbeHandler(), new ProbeHandler(), new ProbeHandler()};
    String oneAddress = listen(one, pair.accepted, servers[0]);
    String twoAddress = listen(two, servers[1], servers[2]);
    TlsLink accepted = (TlsLink) pair.open(oneAddress, two);
    LinkReference reference = accepted.opening().reference();
    assertThat(two.opened()).containsOnlyKeys(reference);

    assertRefuses(twoAddress, new LinkReference(1, 2), servers[1]);
    assertRefuses(oneAddress, reference, servers[0]); // of a link that another one has opened

    accepted.close();
    assertThat(pair.first.cause()).isNull();
    await("it is forgotten", () -> two.opened().isEmpty());
    assertRefuses(twoAddress, reference, servers[2]);
  }

  /** A greeting is not encrypted: who has seen it on its way has no use of it. */
  @Test
  void shouldRefuseAGreetingThatIsSaidAgain() throws IOException {
    TlsTransport one = transports.open(1);
    TlsTransport two = transports.open(2);
    Pair pair = new Pair();
    ProbeHandler replayed = new ProbeHandler();
    Link accepted = pair.open(listen(one, pair.accepted), two);
    String twoAddress = listen(two, pair.backAccepted, replayed);
    one.connectBack(twoAddress, accepted, pair.back);
    pair.exchange();

    assertRefuses(twoAddress, ((TlsLink) accepted).opening().reference(), replayed);
    pair.exchange();
  }

  @Test
  void shouldConnectInTheUsualRolesToWhoDoesNotKnowLinksBack() throws Exception {
    TlsTransport one = transports.open(1);
    ProbeHandler accepted = new ProbeHandler();
    String oneAddress = listen(one, accepted);
    SSLContext raw =
        TestCertificates.context(transports.identity(3), transports.authority().certificate());
    try (Socket socket = socket(oneAddress);
        SSLSocket first =
            (SSLSocket)
                raw.getSocketFactory().createSocket(socket, "localhost", socket.getPort(), true);
        SSLServerSocket server =
            (SSLServerSocket)
                raw.getServerSocketFactory()
                    .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      first.startHandshake();
      server.setNeedClientAuth(true);
      server.setSoTimeout((int) TestNodes.PATIENCE.toMillis());
      CompletableFuture<Integer> byteOfServer = CompletableFuture.supplyAsync(() -> greet(server));
      ProbeHandler back = new ProbeHandler();

      one.connectBack("127.0.0.1:" + server.getLocalPort(), accepted.link(), back);

      assertThat(back.link().peer().nodeIds()).containsExactly(3);
      back.awaitReceived(1);
      assertThat(byteOfServer.get()).isZero();
    }
  }

  private static int greet(SSLServerSocket server) {
    try (SSLSocket accepted = (SSLSocket) server.accept()) {
      accepted.getOutputStream().write(PatternSource.at(0));
      return 0;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  // The ticket.

  /** Keeps back what comes from the time on at which the end of a client's handshake is written. */
  private static final class Withholding extends Tap {
    private static final int MORE_THAN_A_RECORD_WITHOUT_CONTENT = 100;

    private final List<byte[]> kept = new ArrayList<>();
    private boolean begun;
    private boolean holds;
    private boolean released;

    @Override
    public synchronized boolean write(OutboundSource source) throws IOException {
      long bytes = source.next(new OutboundRanges(16));
      holds |= begun && bytes > MORE_THAN_A_RECORD_WITHOUT_CONTENT && !released;
      begun = true;
      return super.write(source);
    }

    @Override
    public synchronized void received(MemorySegment memory, long offset, long length) {
      if (holds) {
        kept.add(memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
      } else {
        super.received(memory, offset, length);
      }
    }

    synchronized void release() {
      released = true;
      holds = false;
      for (byte[] bytes : kept) {
        super.received(MemorySegment.ofArray(bytes), 0, bytes.length);
      }
      kept.clear();
    }
  }

  /** Of the links of a transport only the first withholds something. */
  private TlsTransport withholding(int nodeId, Withholding first) {
    List<Tap> taps = new ArrayList<>(List.of(first));
    return transports.open(
        nodeId,
        TappedTransport.provider(TCP, () -> taps.isEmpty() ? new Tap() : taps.removeFirst()));
  }

  @Test
  void shouldWaitForTheTicketThatIsSlowerThanTheLinkBack() throws IOException {
    Withholding firstLink = new Withholding();
    TlsTransport one = transports.open(1);
    TlsTransport two = withholding(2, firstLink);
    Pair pair = new Pair();
    Link accepted = pair.open(listen(one, pair.accepted), two);

    one.connectBack(listen(two, pair.backAccepted), accepted, pair.back);
    TlsOpening opening = ((TlsLink) pair.first.link()).opening();
    await("the link back waits", () -> opening.ticketAwaited() == 1);
    firstLink.release();

    pair.exchange();
    assertFullHandshakes(one, 1);
    assertFullHandshakes(two, 1);
  }

  @Test
  void shouldNotWaitForEverForATicket() throws IOException {
    Withholding firstLink = new Withholding();
    TlsTransport one = transports.open(1);
    TlsTransport two = withholding(2, firstLink);
    two.waitForTickets(Duration.ofMillis(200));
    Pair pair = new Pair();
    Link accepted = pair.open(listen(one, pair.accepted), two);

    one.connectBack(listen(two, pair.backAccepted), accepted, pair.back);

    assertThat(pair.back.link().peer().nodeIds()).containsExactly(2);
    assertFullHandshakes(one, 2);
    assertFullHandshakes(two, 2);
    firstLink.release();
    pair.exchange();
  }
}
