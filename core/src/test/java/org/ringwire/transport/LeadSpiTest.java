package org.ringwire.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.NodeWatcher;

/** Threads that wait read the link themselves ({@link Link#lead}). */
@ExtendWith(NodeWatcher.class)
abstract class LeadSpiTest {

  private static final long FAR_NS = TimeUnit.SECONDS.toNanos(30);

  private final List<AutoCloseable> resources = new ArrayList<>();
  private PatternSource there;
  private PatternSource back;

  @BeforeEach
  void openSources() {
    there = new PatternSource(1, 1000);
    back = new PatternSource(1, 1000);
    resources.add(there);
    resources.add(back);
  }

  @AfterEach
  void closeEverything() throws Exception {
    for (AutoCloseable resource : resources.reversed()) {
      resource.close();
    }
  }

  /** The transport under test. */
  abstract TransportProvider provider();

  /** An address to listen on. */
  abstract String address();

  /** Requests of each thread that comes and goes. */
  int requests() {
    return 3000;
  }

  /** How often a link is closed while somebody leads; a multiple of four. */
  int closes() {
    return 40;
  }

  private Transport open(int nodeId, IdleStrategy idle) {
    Transport transport =
        provider().open(new TransportConfig(nodeId, 1, idle, 1 << 20, Duration.ofSeconds(30)));
    resources.add(transport);
    return transport;
  }

  private Link connect(IdleStrategy idle, ProbeHandler server, ProbeHandler client)
      throws IOException {
    String address = open(1, idle).listen(address(), remote -> server);
    open(2, idle).connect(address, client);
    server.link();
    return client.link();
  }

  /** Records which threads have read. */
  private static class ReaderProbe extends ProbeHandler {
    private final Queue<Thread> readers = new ConcurrentLinkedQueue<>();

    @Override
    protected void input(MemorySegment memory, long offset, long length) throws Exception {
      readers.add(Thread.currentThread());
    }
  }

  /** Sends back as many bytes as come. */
  private ProbeHandler echo() {
    return new ProbeHandler() {
      @Override
      protected void input(MemorySegment memory, long offset, long length) throws Exception {
        back.offer(link(), length);
      }

      @Override
      protected void resume() {
        back.resume(link());
      }
    };
  }

  /** Goes on sending requests when the link has been full. */
  private ProbeHandler requester() {
    return new ProbeHandler() {
      @Override
      protected void resume() {
        there.resume(link());
      }
    };
  }

  private static boolean lead(Link link, BooleanSupplier done) {
    return link.lead(done, System.nanoTime() + FAR_NS);
  }

  /** Waits until the I/O thread lets somebody else lead: it may still be opening the link. */
  private static void leadSurely(Link link, BooleanSupplier done) {
    long endNs = System.nanoTime() + FAR_NS;
    while (!lead(link, done)) {
      assertThat(System.nanoTime()).isLessThan(endNs);
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1_000_000})
  void shouldReadOnThreadThatLeads(long spinNs) throws IOException {
    ReaderProbe client = new ReaderProbe();
    Link link = connect(new IdleStrategy(spinNs), echo(), client);
    long total = 0;
    for (int i = 0; i < 200; i++) {
      total += 64;
      request(link, client, total);
    }
    client.check();
    assertThat(client.received()).isEqualTo(total);
    assertThat(client.readers).containsOnly(Thread.currentThread());
  }

  /** And nothing comes that would wake anybody for it. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1_000_000})
  void shouldHandleWhatLeadersHaveNoTimeFor(long spinNs) throws IOException {
    int total = 16_000; // one record of TLS
    PatternSource much = new PatternSource(1, total);
    resources.add(much);
    ProbeHandler client = SlowHandlers.probe();
    ProbeHandler server = new ProbeHandler();
    Link link = connect(new IdleStrategy(spinNs), server, client);
    leadSurely(link, () -> true);
    much.offer(server.link(), total);
    for (long before = 0; before < total / 2; before = client.received()) {
      long seen = before;
      boolean _ = lead(link, () -> client.received() > seen);
    }
    client.awaitReceived(total);
    much.offer(server.link(), total);
    leadSurely(link, () -> client.received() == 2L * total); // no more comes for who stays, either
    assertThat(client.received()).isEqualTo(2L * total);
    client.check();
  }

  /** Sends 64 bytes to whom sends them back, and leads until so many have come in all. */
  private void request(Link link, ProbeHandler client, long expected) {
    AtomicBoolean sent = new AtomicBoolean();
    leadSurely(
        link,
        () -> {
          if (!sent.getAndSet(true)) { // now this thread has the lead
            offer(there, link, 64);
          }
          return client.received() >= expected;
        });
  }

  private static void offer(PatternSource source, Link link, long bytes) {
    try {
      source.offer(link, bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldReadOnIoThreadAfterwards(boolean resume) throws IOException {
    ReaderProbe client = new ReaderProbe();
    ProbeHandler server = new ProbeHandler();
    Link link = connect(IdleStrategy.parking(), server, client);
    for (int i = 1; i <= 50; i++) {
      long before = client.received();
      AtomicBoolean sent = new AtomicBoolean();
      leadSurely(
          link,
          () -> {
            if (!sent.getAndSet(true)) {
              offer(back, server.link(), 100);
            }
            return client.received() > before;
          });
      client.awaitReceived(100L * (2 * i - 1));
      client.readers.clear();
      if (resume) {
        link.resumeReading();
      }
      offer(back, server.link(), 100);
      client.awaitReceived(100L * 2 * i);
      assertThat(client.readers).doesNotContain(Thread.currentThread());
    }
  }

  /** Leads that follow each other so fast may leave more to the I/O thread than others. */
  @Test
  void shouldReadOnIoThreadWhatComesAfterManyLeads() throws IOException {
    ReaderProbe client = new ReaderProbe();
    ProbeHandler server = echo();
    Link link = connect(new IdleStrategy(1_000_000), server, client);
    long total = 0;
    for (int series = 0; series < 5; series++) {
      for (int i = 0; i < requests(); i++) {
        total += 64;
        request(link, client, total);
      }
      client.readers.clear();
      total += 100;
      offer(back, server.link(), 100); // nobody has asked for that
      client.awaitReceived(total);
      assertThat(client.readers).doesNotContain(Thread.currentThread());
    }
    client.check();
  }

  @Test
  void shouldLetOneThreadLead() throws Exception {
    Link link = connect(IdleStrategy.parking(), new ProbeHandler(), new ProbeHandler());
    AtomicBoolean leading = new AtomicBoolean();
    AtomicBoolean enough = new AtomicBoolean();
    Threads threads = new Threads();
    threads.start(() ->
        leadSurely(
            link,
            () -> {
              leading.set(true);
              return enough.get();
            }));
    awaitTrue(leading);
    assertThat(lead(link, () -> false)).isFalse();
    enough.set(true);
    link.wakeLeader();
    threads.join();
  }

  private static void awaitTrue(AtomicBoolean condition) {
    long endNs = System.nanoTime() + FAR_NS;
    while (!condition.get()) {
      assertThat(System.nanoTime()).isLessThan(endNs);
      Thread.onSpinWait();
    }
  }

  @Test
  void shouldEndLeadAtDeadline() throws IOException {
    Link link = connect(IdleStrategy.parking(), new ProbeHandler(), new ProbeHandler());
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
    while (!link.lead(() -> false, deadlineNs)) {
      Thread.onSpinWait();
    }
    assertThat(System.nanoTime()).isGreaterThanOrEqualTo(deadlineNs);
  }

  @Test
  void shouldEndLeadWhenLinkClosesOrThreadIsInterrupted() throws Exception {
    for (int round = 0; round < closes(); round++) {
      ProbeHandler server = new ProbeHandler();
      ProbeHandler client = new ProbeHandler();
      Link link = connect(IdleStrategy.parking(), server, client);
      AtomicBoolean leading = new AtomicBoolean();
      AtomicBoolean interrupted = new AtomicBoolean();
      Threads threads = new Threads();
      Thread leader =
          threads.start(() -> {
            leadSurely(
                link,
                () -> {
                  leading.set(true);
                  return false;
                });
            interrupted.set(Thread.interrupted());
          });
      awaitTrue(leading);
      switch (round % 4) {
        case 0 -> link.close();
        case 1 -> server.link().close();
        case 2 -> resources.removeLast().close(); // the connecting transport
        default -> leader.interrupt();
      }
      threads.join();
      assertThat(interrupted.get()).isEqualTo(round % 4 == 3);
      link.close();
      assertThat(client.cause()).isNull();
      server.cause();
    }
  }

  @Test
  void shouldNotLeadOnVirtualThread() throws Exception {
    Link link = connect(IdleStrategy.parking(), new ProbeHandler(), new ProbeHandler());
    AtomicBoolean led = new AtomicBoolean(true);
    Thread.ofVirtual().start(() -> led.set(lead(link, () -> true))).join();
    assertThat(led.get()).isFalse();
  }

  @Test
  void shouldCloseLinkWhenHandlerFailsOnLeader() throws IOException {
    IllegalStateException failure = new IllegalStateException("on purpose");
    ProbeHandler client =
        new ProbeHandler() {
          @Override
          protected void input(MemorySegment memory, long offset, long length) {
            throw failure;
          }
        };
    ProbeHandler server = new ProbeHandler();
    Link link = connect(IdleStrategy.parking(), server, client);
    AtomicBoolean sent = new AtomicBoolean();
    leadSurely(
        link,
        () -> {
          if (!sent.getAndSet(true)) {
            offer(back, server.link(), 10);
          }
          return client.isClosed();
        });
    assertThat(client.cause()).isSameAs(failure);
    assertThat(server.cause()).isNull();
  }

  /** Requesters lead, give up, are interrupted, while others stream: all input comes, in order. */
  @ParameterizedTest
  @ValueSource(longs = {0, 20_000, 1_000_000})
  void shouldLoseNothingWhileLeadersComeAndGo(long spinNs) throws Exception {
    ProbeHandler client = requester();
    Link link = connect(new IdleStrategy(spinNs), echo(), client);
    AtomicInteger led = new AtomicInteger();
    AtomicBoolean ended = new AtomicBoolean();
    Threads threads = new Threads();
    List<Thread> requesters = new ArrayList<>();
    int rounds = requests();
    for (int i = 0; i < 4; i++) {
      requesters.add(threads.start(() -> request(link, client, rounds, led)));
    }
    Threads disturbers = new Threads();
    disturbers.start(() -> {
      while (!ended.get()) {
        requesters.get(ThreadLocalRandom.current().nextInt(4)).interrupt();
        link.wakeLeader();
        LockSupport.parkNanos(200_000);
      }
    });
    threads.join();
    ended.set(true);
    disturbers.join();
    there.awaitSent();
    client.awaitReceived(there.sent());
    assertThat(client.isClosed()).isFalse();
    assertThat(led.get()).isPositive();
  }

  private void request(Link link, ProbeHandler client, int rounds, AtomicInteger led)
      throws IOException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int n = 0; n < rounds && !client.isClosed(); n++) { // offer() writes nothing while blocked
      long target = client.received() + 1;
      there.offer(link, 1 + random.nextInt(200));
      long deadlineNs = System.nanoTime() + random.nextInt(300_000);
      if (link.lead(() -> client.received() >= target, deadlineNs)) {
        led.incrementAndGet();
      }
      if (random.nextInt(10) == 0) {
        link.resumeReading();
      }
      Thread.interrupted();
    }
  }

  @Test
  void shouldCloseWhileLeadersComeAndGo() throws Exception {
    for (int round = 0; round < closes(); round++) {
      ProbeHandler server = echo();
      ProbeHandler client = requester();
      back = new PatternSource(1, 1000);
      there = new PatternSource(1, 1000);
      resources.add(0, back);
      resources.add(0, there);
      Link link = connect(new IdleStrategy(round % 2 == 0 ? 0 : 50_000), server, client);
      Threads threads = new Threads();
      for (int i = 0; i < 3; i++) {
        threads.start(() -> {
          try {
            request(link, client, Integer.MAX_VALUE, new AtomicInteger());
          } catch (IOException e) {
            // closed
          }
        });
      }
      client.awaitReceived(5_000);
      (round % 3 == 0 ? server.link() : link).close();
      client.cause();
      server.cause();
      threads.join();
      client.check();
    }
  }
}
