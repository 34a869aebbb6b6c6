package org.ringwire.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every transport does, seen through the SPI. */
abstract class TransportSpiTest extends TransportEndSpiTest {

  @Test
  void shouldOpenBothSides() throws IOException {
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = new ProbeHandler();
    String address = open(1).listen(freeAddress(), accepting(server));
    open(2).connect(address, client);
    assertThat(client.link().remote()).isNotBlank();
    assertThat(server.link().remote()).isNotBlank();
  }

  @ParameterizedTest
  @CsvSource({"1,1,1", "1,4096,10000000", "16,1000,10000000", "3,300000,50000000", "16,7,100000"})
  void shouldCarryBytesInOrder(int rangeCount, int rangeLength, long bytes) throws IOException {
    PatternSource there = source(rangeCount, rangeLength);
    PatternSource back = source(rangeCount, rangeLength);
    ProbeHandler server = new SendingHandler(back);
    ProbeHandler client = new SendingHandler(there);
    String address = open(1).listen(freeAddress(), accepting(server));
    open(2).connect(address, client);
    client.link();
    server.link();
    there.offer(client.link(), bytes);
    back.offer(server.link(), bytes);
    there.awaitSent();
    back.awaitSent();
    server.awaitReceived(bytes);
    client.awaitReceived(bytes);
    assertThat(server.received()).isEqualTo(bytes);
  }

  @Test
  void shouldCarryBytesOfManyProducers() throws Exception {
    PatternSource source = source(4, 10_000);
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = new SendingHandler(source);
    String address = open(1).listen(freeAddress(), accepting(server));
    open(2).connect(address, client);
    Link link = client.link();
    Threads threads = new Threads();
    for (int i = 0; i < 8; i++) {
      threads.start(() -> {
        for (int n = 0; n < 1000; n++) {
          source.offer(link, 1 + n % 500);
        }
      });
    }
    threads.join();
    long bytes = 0;
    for (int n = 0; n < 1000; n++) {
      bytes += 8L * (1 + n % 500);
    }
    source.awaitSent();
    server.awaitReceived(bytes);
  }

  @Test
  void shouldConnectToItself() throws IOException {
    PatternSource source = source(1, 1000);
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = new SendingHandler(source);
    Transport transport = open(1);
    transport.connect(transport.listen(freeAddress(), accepting(server)), client);
    source.offer(client.link(), 100_000);
    server.awaitReceived(100_000);
  }

  @Test
  void shouldServeManyNodesAndLinks() throws IOException {
    int nodes = 5;
    int links = 40;
    List<ProbeHandler> servers = new ArrayList<>();
    List<ProbeHandler> clients = new ArrayList<>();
    List<PatternSource> senders = new ArrayList<>();
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      ProbeHandler[] handlers = new ProbeHandler[links];
      for (int j = 0; j < links; j++) {
        handlers[j] = new ProbeHandler();
        servers.add(handlers[j]);
      }
      addresses.add(open(i).listen(freeAddress(), accepting(handlers)));
    }
    for (int i = 0; i < nodes * links; i++) {
      PatternSource source = source(1, 100);
      senders.add(source);
      clients.add(new SendingHandler(source));
      transports.get((i + 1) % nodes).connect(addresses.get(i % nodes), clients.get(i));
    }
    for (int i = 0; i < nodes * links; i++) {
      senders.get(i).offer(clients.get(i).link(), 5000);
    }
    for (ProbeHandler server : servers) {
      server.awaitReceived(5000);
    }
  }

  @Test
  void shouldDeliverWhatWasWrittenBeforeClose() throws IOException {
    PatternSource source = source(1, 60_000);
    PatternSource other = source(1, 60_000);
    ProbeHandler server = new SendingHandler(other);
    ProbeHandler client = new SendingHandler(source);
    String address = open(1).listen(freeAddress(), accepting(server));
    open(2).connect(address, client);
    server.link();
    other.offer(server.link(), 1000); // input on its way while the link is closed
    source.offer(client.link(), 2_000_000);
    source.awaitSent();
    client.link().close();
    server.awaitReceived(2_000_000);
    assertThat(server.cause()).isNull();
    assertThat(client.cause()).isNull();
  }

  /** Nothing has to come for what is left of it, and the end comes behind that. */
  @Test
  void shouldDeliverToSlowHandlersWhatWasWrittenBeforeClose() throws IOException {
    PatternSource source = source(1, 60_000);
    ProbeHandler server = SlowHandlers.probe();
    ProbeHandler client = new SendingHandler(source);
    String address = open(1).listen(freeAddress(), accepting(server));
    open(2).connect(address, client);
    server.link();
    source.offer(client.link(), 16_000);
    server.awaitReceived(16_000);
    source.offer(client.link(), 84_000);
    source.awaitSent();
    client.link().close();
    server.awaitReceived(100_000);
    assertThat(server.cause()).isNull();
    assertThat(client.cause()).isNull();
  }

  /** What it has kept, and what is not read, goes with the link. */
  @Test
  void shouldCloseALinkInTheMiddleOfWhatSlowHandlersHaveToHandle() throws IOException {
    for (long position = 0; position < 40_000; position += 5_000) {
      PatternSource source = source(1, 60_000);
      ProbeHandler server = SlowHandlers.probe();
      ProbeHandler client = new SendingHandler(source);
      String address = open(1).listen(freeAddress(), accepting(server));
      open(2).connect(address, client);
      Link link = server.link();
      source.offer(client.link(), 60_000);
      server.awaitReceived(position);
      link.close();
      assertThat(server.cause()).isNull();
      Throwable _ = client.cause();
      server.check();
    }
  }

  @Test
  void shouldSayWhereNobodyListens() {
    ProbeHandler client = new ProbeHandler();
    String address = deadAddress();
    open(2).connect(address, client);
    assertThat(client.cause()).isInstanceOf(IOException.class).hasMessageContaining(address);
    assertThat(client.isOpened()).isFalse();
  }

  @Test
  void shouldSayThatAddressIsTaken() throws IOException {
    String address = open(1).listen(freeAddress(), accepting());
    Transport other = open(2);
    assertThatThrownBy(() -> other.listen(address, accepting()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot listen: address=" + address);
  }

  /** Links that each of four threads opens at once. */
  protected int stormConnects() {
    return 100;
  }

  @Test
  void shouldEndEveryConnectOfStorm() throws Exception {
    int threads = 4;
    int connects = stormConnects();
    Transport listening = open(1);
    BlockingQueue<ProbeHandler> accepted = new LinkedBlockingQueue<>();
    String address = listening.listen(freeAddress(), acceptingInto(accepted));
    Transport connecting = open(2);
    Queue<ProbeHandler> clients = new ConcurrentLinkedQueue<>();
    Threads storm = new Threads();
    for (int i = 0; i < threads; i++) {
      storm.start(() -> connect(connecting, address, connects, clients));
    }
    storm.join();
    for (ProbeHandler client : clients) {
      client.link();
    }
    for (int i = 0; i < threads * connects; i++) {
      ProbeHandler server = accepted.poll(30, TimeUnit.SECONDS);
      assertThat(server).isNotNull();
      server.link(); // before that its end need not be in order
    }
    listening.close();
    for (ProbeHandler client : clients) {
      assertThat(client.cause()).isNull();
    }
  }

  /** Nobody else would tell it: who waits for the end of a link would do so for ever. */
  @Test
  void shouldTellOfTheEndUntilThereIsHeapForThat() throws Exception {
    CountDownLatch told = new CountDownLatch(3);
    ProbeHandler client =
        new ProbeHandler() {
          @Override
          public void closed(@Nullable Throwable cause) {
            told.countDown();
            if (told.getCount() > 0) {
              throw new OutOfMemoryError("as this test wants it");
            }
            super.closed(cause);
          }
        };
    String address = open(1).listen(freeAddress(), accepting(new ProbeHandler()));
    Transport connecting = open(2);
    connecting.connect(address, client);
    client.link().close();
    assertThat(client.cause()).isNull();
    assertThat(told.getCount()).isZero();
  }

  @Test
  void shouldLoseNothingWhenWritersAreInterrupted() throws Exception {
    PatternSource source = source(2, 1000);
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = new SendingHandler(source);
    String address = open(1).listen(freeAddress(), accepting(server));
    open(2).connect(address, client);
    Link link = client.link();
    AtomicBoolean interrupted = new AtomicBoolean();
    AtomicBoolean ended = new AtomicBoolean();
    Threads threads = new Threads();
    Thread writer =
        threads.start(() -> {
          while (!interrupted.get()) { // else it might be done before it is disturbed
            Thread.onSpinWait();
          }
          for (int n = 0; n < 20_000; n++) {
            source.offer(link, 100);
          }
          ended.set(true);
        });
    while (!ended.get()) {
      writer.interrupt();
      interrupted.set(true);
    }
    threads.join();
    source.awaitSent();
    server.awaitReceived(2_000_000);
    assertThat(client.isClosed()).isFalse();
  }
}
