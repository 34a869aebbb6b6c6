package org.ringwire.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.NodeWatcher;

/** How links and transports of every kind end, seen through the SPI. */
@ExtendWith(NodeWatcher.class)
abstract class TransportEndSpiTest {

  final List<Transport> transports = new ArrayList<>();

  private final List<PatternSource> sources = new ArrayList<>();

  /** The transport to test. */
  protected abstract TransportProvider provider();

  /** An address to listen on that is free; what is bound is what listen returns. */
  protected abstract String freeAddress();

  /** An address that nobody listens on. */
  protected abstract String deadAddress();

  /** How threads wait. */
  protected IdleStrategy idleStrategy() {
    return IdleStrategy.parking();
  }

  /** How often something races with a close. */
  protected int races() {
    return 20;
  }

  @AfterEach
  void closeEverything() {
    transports.forEach(Transport::close);
    awaitEnd(); // the last instructions of a thread come after its work
    assertThat(transportThreads()).isEmpty();
    sources.forEach(PatternSource::close);
  }

  private static void awaitEnd() {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!transportThreads().isEmpty() && System.nanoTime() - endNs < 0) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static List<String> transportThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("ringwire-"))
        .toList();
  }

  /** A transport that is closed after the test. */
  protected final Transport open(int nodeId) {
    Transport transport =
        provider()
            .open(new TransportConfig(nodeId, 2, idleStrategy(), 1 << 20, Duration.ofSeconds(30)));
    transports.add(transport);
    return transport;
  }

  /** A source that is closed after the test. */
  protected final PatternSource source(int rangeCount, int rangeLength) {
    PatternSource source = new PatternSource(rangeCount, rangeLength);
    sources.add(source);
    return source;
  }

  /** A handler that sends from a source. */
  protected static class SendingHandler extends ProbeHandler {
    private final PatternSource source;

    protected SendingHandler(PatternSource source) {
      this.source = source;
    }

    @Override
    protected void resume() {
      source.resume(link());
    }
  }

  /** Accepts with the handlers given, one after the other. */
  protected static LinkAcceptor accepting(ProbeHandler... handlers) {
    Queue<ProbeHandler> queue = new ConcurrentLinkedQueue<>(List.of(handlers));
    return remote -> queue.poll();
  }

  /** Takes every link, and keeps what handles it. */
  protected static LinkAcceptor acceptingInto(Queue<ProbeHandler> accepted) {
    return remote -> {
      ProbeHandler handler = new ProbeHandler();
      accepted.add(handler);
      return handler;
    };
  }

  /** Connects so many times, and keeps what handles the links. */
  protected static void connect(
      Transport transport, String address, int times, Queue<ProbeHandler> clients) {
    for (int n = 0; n < times; n++) {
      ProbeHandler client = new ProbeHandler();
      clients.add(client);
      transport.connect(address, client);
    }
  }

  @Test
  void shouldEndBothSidesOnceWhoeverCloses() throws Exception {
    for (int round = 0; round < races(); round++) {
      ProbeHandler server = new ProbeHandler();
      ProbeHandler client = new ProbeHandler();
      Transport listening = open(1);
      String address = listening.listen(freeAddress(), accepting(server));
      open(2).connect(address, client);
      Link here = client.link();
      Link there = server.link();
      Threads threads = new Threads();
      threads.start(here::close);
      threads.start(there::close);
      threads.start(here::close);
      threads.join();
      assertThat(client.cause()).isNull();
      assertThat(server.cause()).isNull();
      listening.close();
    }
  }

  @Test
  void shouldCloseFromInsideHandler() throws IOException {
    ProbeHandler server =
        new ProbeHandler() {
          @Override
          protected void input(MemorySegment memory, long offset, long length) {
            link().close();
          }
        };
    ProbeHandler client = new ProbeHandler();
    PatternSource source = source(1, 10);
    String address = open(1).listen(freeAddress(), accepting(server));
    open(2).connect(address, client);
    source.offer(client.link(), 10);
    assertThat(server.cause()).isNull();
    assertThat(client.cause()).isNull();
  }

  @Test
  void shouldRefuseToWriteAfterClose() throws IOException {
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = new ProbeHandler();
    String address = open(1).listen(freeAddress(), accepting(server));
    open(2).connect(address, client);
    Link link = client.link();
    link.close();
    client.cause();
    PatternSource source = source(1, 10);
    assertThatThrownBy(() -> source.offer(link, 10)).isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void shouldCloseLinkWhoseHandlerFails() throws IOException {
    IllegalStateException failure = new IllegalStateException("rule 7 broken");
    ProbeHandler bad =
        new ProbeHandler() {
          @Override
          protected void input(MemorySegment memory, long offset, long length) {
            throw failure;
          }
        };
    ProbeHandler good = new ProbeHandler();
    ProbeHandler first = new ProbeHandler();
    PatternSource source = source(1, 10);
    ProbeHandler second = new SendingHandler(source);
    String address = open(1).listen(freeAddress(), accepting(bad, good));
    Transport connecting = open(2);
    connecting.connect(address, first);
    first.link();
    bad.link();
    connecting.connect(address, second);
    second.link();
    source(1, 10).offer(first.link(), 10);
    assertThat(bad.cause()).isSameAs(failure);
    assertThat(first.cause()).isNull();
    source.offer(second.link(), 1000);
    good.awaitReceived(1000);
  }

  @Test
  void shouldSurviveErrorsInEveryCallback() throws IOException {
    LinkHandler hostile =
        new ProbeHandler() {
          @Override
          public void opened(Link link) {
            super.opened(link);
            throw new StackOverflowError("on purpose");
          }
        };
    ProbeHandler server = new ProbeHandler();
    ProbeHandler again = new ProbeHandler();
    Queue<LinkHandler> handlers = new ConcurrentLinkedQueue<>(List.of(hostile, server));
    AtomicInteger calls = new AtomicInteger();
    String address =
        open(1)
            .listen(
                freeAddress(),
                remote -> {
                  if (calls.getAndIncrement() == 0) {
                    throw new AssertionError("on purpose");
                  }
                  return handlers.poll();
                });
    Transport connecting = open(2);
    for (int i = 0; i < 2; i++) {
      ProbeHandler ended = new ProbeHandler();
      connecting.connect(address, ended);
      ended.cause();
    }
    connecting.connect(address, again);
    again.link();
    server.link();
  }

  @Test
  void shouldEndLinkThatAcceptorRefuses() throws IOException {
    String address = open(1).listen(freeAddress(), remote -> null);
    ProbeHandler client = new ProbeHandler();
    open(2).connect(address, client);
    client.cause();
  }

  @Test
  void shouldListenAgainAfterRestart() throws IOException {
    String address = freeAddress();
    for (int round = 0; round < 5; round++) {
      ProbeHandler server = new ProbeHandler();
      ProbeHandler client = new ProbeHandler();
      Transport listening = open(1);
      address = listening.listen(address, accepting(server));
      open(2).connect(address, client);
      client.link();
      server.link();
      listening.close();
      assertThat(server.cause()).isNull();
      assertThat(client.cause()).isNull();
    }
  }

  @Test
  void shouldKeepLinksWhenListeningStops() throws IOException {
    PatternSource source = source(1, 100);
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = new SendingHandler(source);
    Transport listening = open(1);
    String address = listening.listen(freeAddress(), accepting(server, new ProbeHandler()));
    Transport connecting = open(2);
    connecting.connect(address, client);
    server.link();
    client.link();
    listening.stopListening();
    source.offer(client.link(), 1000);
    server.awaitReceived(1000);
  }

  @Test
  void shouldEndEverythingWhenTransportCloses() throws IOException {
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = new ProbeHandler();
    String address = open(1).listen(freeAddress(), accepting(server));
    Transport connecting = open(2);
    connecting.connect(address, client);
    client.link();
    server.link();
    connecting.close();
    assertThat(client.isClosed()).isTrue();
    assertThat(client.cause()).isNull();
    assertThat(server.cause()).isNull();
    ProbeHandler late = new ProbeHandler();
    connecting.connect(address, late);
    assertThat(late.cause()).isNotNull();
    assertThatThrownBy(() -> connecting.listen(freeAddress(), accepting()))
        .isInstanceOf(IOException.class);
  }

  @Test
  void shouldCloseFromItsOwnThread() throws IOException {
    Transport listening = open(1);
    ProbeHandler server =
        new ProbeHandler() {
          @Override
          protected void input(MemorySegment memory, long offset, long length) {
            listening.close();
          }
        };
    ProbeHandler client = new ProbeHandler();
    String address = listening.listen(freeAddress(), accepting(server));
    open(2).connect(address, client);
    source(1, 10).offer(client.link(), 10);
    server.cause();
    client.cause();
  }

  @Test
  void shouldEndConnectsThatRaceWithClose() throws Exception {
    for (int round = 0; round < races(); round++) {
      Transport listening = open(1);
      Queue<ProbeHandler> accepted = new ConcurrentLinkedQueue<>();
      String address = listening.listen(freeAddress(), acceptingInto(accepted));
      Transport connecting = open(2);
      Queue<ProbeHandler> clients = new ConcurrentLinkedQueue<>();
      Threads threads = new Threads();
      threads.start(() -> connect(connecting, address, 50, clients));
      Transport victim = round % 2 == 0 ? listening : connecting;
      threads.start(victim::close);
      threads.join();
      connecting.close();
      listening.close();
      for (ProbeHandler client : clients) {
        client.cause();
      }
      for (ProbeHandler server : accepted) {
        server.cause();
      }
    }
  }

  @Test
  void shouldEndWritersThatRaceWithClose() throws Exception {
    for (int round = 0; round < races(); round++) {
      PatternSource source = source(2, 1000);
      ProbeHandler server = new ProbeHandler();
      ProbeHandler client = new SendingHandler(source);
      Transport listening = open(1);
      String address = listening.listen(freeAddress(), accepting(server));
      Transport connecting = open(2);
      connecting.connect(address, client);
      Link link = client.link();
      server.link();
      AtomicBoolean ended = new AtomicBoolean();
      Threads threads = new Threads();
      for (int i = 0; i < 3; i++) {
        threads.start(() -> {
          try {
            while (!ended.get()) {
              source.offer(link, 100);
            }
          } catch (IOException e) {
            // the link is closed
          }
        });
      }
      server.awaitReceived(10_000);
      Link closing = round % 2 == 0 ? link : server.link();
      closing.close();
      client.cause();
      server.cause();
      ended.set(true);
      threads.join();
    }
  }
}
