package org.ringwire.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Link;
import org.ringwire.transport.PatternSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.SlowHandlers;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/** What a peer had sent that is gone. */
@ExtendWith(NodeWatcher.class)
class LastWordsTest {

  private static final int LENGTH = 100_000;

  /** Each message of it takes its time, and says how far another one is then. */
  private static final class Slow extends ProbeHandler {

    private final List<Long> seen = new ArrayList<>();
    private final ProbeHandler other;

    Slow(ProbeHandler other) {
      this.other = other;
    }

    @Override
    protected void input(MemorySegment memory, long offset, long length) {
      SlowHandlers.pause(length);
      seen.add(other.received());
    }
  }

  @Test
  void shouldBeReadInTurnsWithOtherLinks() throws IOException {
    TransportConfig config =
        new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 20, Duration.ofSeconds(30));
    try (PatternSource source = new PatternSource(1, 1000);
        ServerSocket listener = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
        Transport transport = new TcpTransportProvider().open(config)) {
      Slow gone = new Slow(new ProbeHandler());
      Slow good = new Slow(gone);
      Socket peer = accept(transport, listener, gone);
      try (Socket goodPeer = accept(transport, listener, good)) {
        Link link = gone.link();
        source.offer(link, 10_000); // unread at the peer, so that its close resets the connection
        goodPeer.getOutputStream().write(words());
        peer.getOutputStream().write(words());
        peer.close();
        await("it takes no more", () -> fails(source, link));
        link.close();
        assertThat(gone.cause()).isNotNull();
        assertThat(gone.received()).isEqualTo(LENGTH);
        good.awaitReceived(LENGTH);
      }
      assertThat(good.cause()).isNull();
      for (int i = 1; i < good.seen.size(); i++) {
        assertThat(good.seen.get(i) - good.seen.get(i - 1)).isLessThan(LENGTH / 5);
      }
    }
  }

  /** Which may be the first to hear of it, and tells of a link among many. */
  @Test
  void shouldTellWhoWritesWhichLinkIsBroken() throws Exception {
    TransportConfig config =
        new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 20, Duration.ofSeconds(30));
    CountDownLatch reset = new CountDownLatch(1);
    CompletableFuture<String> failure = new CompletableFuture<>();
    try (PatternSource source = new PatternSource(1, 1000);
        ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Transport transport = new TcpTransportProvider().open(config)) {
      ProbeHandler client =
          new ProbeHandler() {
            @Override
            protected void input(MemorySegment memory, long offset, long length) throws Exception {
              reset.await(); // until then nobody reads the link
              while (!failure.isDone()) {
                try {
                  source.offer(link(), 10);
                } catch (IOException e) {
                  failure.complete(e.getMessage());
                }
              }
            }
          };
      Socket peer = accept(transport, listener, client);
      peer.getOutputStream().write(PatternSource.at(0));
      peer.setSoLinger(true, 0);
      peer.close();
      reset.countDown();
      assertThat(failure.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .startsWith("link broken: remote=127.0.0.1:" + listener.getLocalPort());
    }
  }

  private static boolean fails(PatternSource source, Link link) {
    try {
      source.offer(link, 10);
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static byte[] words() {
    byte[] words = new byte[LENGTH];
    for (int i = 0; i < words.length; i++) {
      words[i] = PatternSource.at(i);
    }
    return words;
  }

  private static Socket accept(Transport transport, ServerSocket listener, ProbeHandler handler)
      throws IOException {
    transport.connect("127.0.0.1:" + listener.getLocalPort(), handler);
    Socket peer = listener.accept();
    assertThat(handler.link()).isNotNull();
    return peer;
  }
}
