package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;
import static org.ringwire.transport.tls.TlsTransports.TCP;
import static org.ringwire.transport.tls.TlsTransports.listen;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.PatternSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Tap;
import org.ringwire.transport.TappedTransport;

/** What is still written when the link is about to end, and by whom. */
@ExtendWith(NodeWatcher.class)
class TlsFarewellTest {

  private static final int RECORD_HEADER = 5;
  private static final int MOST_BYTES = 10_000;

  @TempDir private Path folder;

  private final PatternSource there = new PatternSource(1, 1000);
  private final PatternSource back = new PatternSource(1, 1000);
  private TlsTransports transports;
  private volatile Thread reader = Thread.currentThread(); // of the server's input

  @AfterEach
  void close() {
    transports.close();
    there.close();
    back.close();
  }

  /** Keeps what comes, when told so, until it is two records, and hands them on in one piece. */
  private static final class Pairing extends Tap {
    volatile boolean keeps;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream(); // the reader's

    @Override
    public void received(MemorySegment memory, long offset, long length) {
      if (!keeps) {
        super.received(memory, offset, length);
        return;
      }
      kept.writeBytes(memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
      byte[] bytes = kept.toByteArray();
      if (records(bytes) == 2) {
        kept.reset();
        super.received(MemorySegment.ofArray(bytes), 0, bytes.length);
      }
    }

    private static int records(byte[] bytes) {
      int count = 0;
      int at = 0;
      while (at + RECORD_HEADER <= bytes.length) {
        at += RECORD_HEADER + ((bytes[at + 3] & 0xFF) << 8 | (bytes[at + 4] & 0xFF));
        count += at <= bytes.length ? 1 : 0;
      }
      return count;
    }
  }

  /** A medium that takes nothing, when told so. */
  private static final class Stalling extends Tap {
    volatile boolean stalls;

    @Override
    public boolean write(OutboundSource source) throws IOException {
      return !stalls && super.write(source);
    }
  }

  /** What counts as lost may be sent again, and must not have reached the peer. */
  @Test
  void shouldCountAsSentWhatTheFarewellFlushes() throws IOException {
    transports = new TlsTransports(folder);
    Stalling medium = new Stalling();
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = new ProbeHandler();
    String address = listen(transports.open(1), server);
    transports.open(2, TappedTransport.provider(TCP, () -> medium)).connect(address, client);
    client.link();
    server.link();
    medium.stalls = true;
    try (PatternSource more = new PatternSource(4, 10_000)) {
      more.offer(client.link(), 40_000); // three records
      medium.stalls = false;
      client.link().close();
      assertThat(server.cause()).isNull();
      assertThat(server.received()).isEqualTo(40_000);
      assertThat(more.sent()).isEqualTo(40_000);
    }
  }

  /**
   * Sends byte by byte until the worker of the handshake has left. While it feeds the link, the
   * thread that reads goes on to the end of the medium, and nothing can be written any more.
   */
  private long sendUntilTheReaderFeeds(ProbeHandler client, ProbeHandler server)
      throws IOException {
    long count = 0;
    do {
      assertThat(count).as("bytes fed by the worker").isLessThan(MOST_BYTES);
      there.offer(client.link(), 1);
      server.awaitReceived(++count);
    } while (!reader.getName().contains("-io-"));
    return count;
  }

  /** Asks for new keys, which an engine that has read close_notify cannot do any more. */
  @Test
  void shouldEndInGoodOrderThoughKeysAreDue() throws IOException {
    transports = new TlsTransports(folder);
    Pairing medium = new Pairing();
    ProbeHandler server =
        new ProbeHandler() {
          @Override
          protected void input(MemorySegment memory, long offset, long length) throws IOException {
            reader = Thread.currentThread();
            if (medium.keeps) {
              back.offer(link(), 20); // close_notify was read with the same piece
            }
          }
        };
    System.setProperty(TlsTransport.KEY_UPDATE_BYTES, "1");
    TlsTransport listening;
    try {
      listening = transports.open(1, TappedTransport.provider(TCP, () -> medium));
    } finally {
      System.clearProperty(TlsTransport.KEY_UPDATE_BYTES);
    }
    ProbeHandler client = new ProbeHandler();
    transports.open(2).connect(listen(listening, server), client);
    long before = sendUntilTheReaderFeeds(client, server);
    back.offer(server.link(), 10); // from now on keys are due
    client.awaitReceived(10);
    medium.keeps = true;
    there.offer(client.link(), 10);
    client.link().close();

    assertThat(server.cause()).isNull();
    assertThat(server.received()).isEqualTo(before + 10);
    assertThat(listening.keyUpdates()).isZero();
    assertThat(back.sent()).isEqualTo(30);
    assertThat(client.cause()).isNull();
  }

  /** A medium that takes nothing, and whose end is not told. */
  private static final class Held implements Link {
    private final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public boolean write(OutboundSource source) {
      return false;
    }

    @Override
    public void close() {
      closed.countDown();
    }

    @Override
    public String remote() {
      return "held";
    }
  }

  private static TlsLink link(TlsTransport transport) {
    long deadlineNs = System.nanoTime() + TestNodes.PATIENCE.toNanos();
    TlsOpening opening = TlsOpening.to(transport, "127.0.0.1:1");
    return new TlsLink(transport, new ProbeHandler(), opening, deadlineNs);
  }

  /** Such as that of an attempt whose peer has answered just now. */
  @Test
  void shouldCloseALinkThatOpensWhileItsTransportCloses() throws Exception {
    transports = new TlsTransports(folder);
    TlsTransport closing = transports.open(1);
    TlsLink before = link(closing);
    TlsLink later = link(closing);
    Held medium = new Held();
    Held laterMedium = new Held();
    before.opened(medium);
    Thread closer = Thread.ofPlatform().start(closing::close);
    await("the close", () -> medium.closed.getCount() == 0);
    later.opened(laterMedium);
    await("the end of the other one, too", () -> laterMedium.closed.getCount() == 0);
    before.closed(null);
    later.closed(null);
    closer.join();
  }
}
