package org.ringwire.transport.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.idle.Places;
import org.ringwire.idle.WaitingPlace;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.StackEnd;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.PatternSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.SlowHandlers;
import org.ringwire.transport.Threads;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.support.Gate;

/** The ends of links, whatever happens to them and to their loop. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("")
@Timeout(120)
class SelectorLoopTest {

  private static final TransportConfig CONFIG =
      new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));

  private final SelectorLoop loop = SelectorLoop.start(CONFIG, "test", 0);
  private final LeaderResources leaders = new LeaderResources(CONFIG.idleStrategy(), 0);
  private final AtomicInteger toldInVain = new AtomicInteger(); // how often it will be
  private final ProbeHandler handler =
      new ProbeHandler() {
        @Override
        public void closed(@Nullable Throwable cause) {
          if (toldInVain.getAndDecrement() > 0) {
            throw new OutOfMemoryError("as this test wants it");
          }
          super.closed(cause);
        }
      };
  private final CountDownLatch inside = new CountDownLatch(1);
  private final CountDownLatch mayLeave = new CountDownLatch(1);
  private SocketChannel peer;
  private SocketChannel channel;

  @BeforeEach
  void connect() throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      peer = SocketChannel.open(listener.getLocalAddress());
      channel = listener.accept();
    }
    channel.configureBlocking(false);
  }

  @AfterEach
  void disconnect() throws Exception {
    mayLeave.countDown();
    endLoop();
    peer.close();
    channel.close();
    leaders.close();
  }

  private void endLoop() throws InterruptedException {
    loop.shutdown();
    loop.thread().join(TimeUnit.SECONDS.toMillis(30));
    assertThat(loop.thread().isAlive()).isFalse();
  }

  /** A link without input; a thread that writes stays inside until it may leave. */
  private final class Held extends ChannelLink {

    private boolean cannotFree;

    Held(SelectorLoopTest test) {
      super(test.loop, test.channel, "peer", test.handler, new Gate(), test.leaders, new Silence());
    }

    @Override
    protected void begin() throws IOException {
      register(channel, 0);
      open();
    }

    @Override
    protected boolean writeInside(OutboundSource source) throws IOException {
      inside.countDown();
      try {
        mayLeave.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      return true;
    }

    @Override
    protected IOException writeFailed(IOException failure) {
      return failure;
    }

    @Override
    protected void ready(int readyOps) {}

    @Override
    protected void free() {
      if (cannotFree) {
        throw new IllegalStateException("still in use");
      }
    }
  }

  private static final class Silence implements LinkInput {

    @Override
    public long read(ReadBuffer own) {
      return 0;
    }

    @Override
    public boolean isEnded() {
      return false;
    }
  }

  /** A channel that always has much input, which nobody reads. */
  private final class Bulk extends SelectorEntry {

    private final CountDownLatch rounds = new CountDownLatch(1_000);
    private Runnable eachTime = () -> loop.brought(1 << 20);

    Bulk(SelectorLoop owner) {
      super(owner);
    }

    @Override
    protected void begin() throws IOException {
      register(channel, SelectionKey.OP_READ);
    }

    @Override
    protected void ready(int readyOps) {
      eachTime.run();
      rounds.countDown();
    }

    @Override
    protected void end(@Nullable Throwable cause) {
      closeQuietly(channel);
    }
  }

  /** Has had much, and asks for its next turn each time, as a link whose peer never rests. */
  private static final class Insatiable extends SelectorEntry {

    private final CountDownLatch rounds = new CountDownLatch(1_000);
    private volatile boolean sated;

    Insatiable(SelectorLoop owner) {
      super(owner);
    }

    @Override
    protected void watchRead() {
      if (!sated) {
        loop.brought(1 << 20);
        rounds.countDown();
        signal(READ);
      }
    }

    @Override
    protected void ready(int readyOps) {}

    @Override
    protected void end(@Nullable Throwable cause) {}
  }

  /** Is looked at directly, and slow each time that it is, and then has brought input. */
  private static final class Slow extends SelectorEntry {

    private static final int TURN = 1 << 10; // bytes
    private volatile int looks;
    private volatile boolean over;

    Slow(SelectorLoop owner) {
      super(owner);
    }

    @Override
    protected void begin() {
      watchRead();
    }

    @Override
    protected void watchRead() {
      if (!loop.activate(this, System.nanoTime())) { // others want the core
        deactivated();
      }
    }

    @Override
    protected void deactivated() {
      if (!over) {
        signal(READ);
      }
    }

    @Override
    protected void ready(int readyOps) {}

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // the loop only
    protected boolean look(int times) {
      SlowHandlers.pause(TURN);
      looks++;
      boolean _ = loop.activate(this, System.nanoTime());
      return true;
    }

    @Override
    protected boolean isActive() {
      return !over;
    }

    @Override
    protected boolean isSilent(long nowNs, long spinNs) {
      return false;
    }

    @Override
    protected void end(@Nullable Throwable cause) {}
  }

  /** Counts the news that the loop has heard. */
  private static final class News extends SelectorEntry {

    private final Semaphore heard = new Semaphore(0);

    News(SelectorLoop owner) {
      super(owner);
    }

    @Override
    protected void watchWrite() {
      heard.release();
    }

    @Override
    protected void ready(int readyOps) {}

    @Override
    protected void end(@Nullable Throwable cause) {}
  }

  /** What a selector does that has a defect, on the thread of its loop. */
  private static final class Breaker extends SelectorEntry {

    private final CountDownLatch done = new CountDownLatch(1);

    Breaker(SelectorLoop owner) {
      super(owner);
    }

    @Override
    protected void begin() {
      loop.replaceSelector(new IOException("broken"));
      done.countDown();
    }

    @Override
    protected void ready(int readyOps) {}

    @Override
    protected void end(@Nullable Throwable cause) {}
  }

  private Held open() {
    Held link = new Held(this);
    link.signal(SelectorEntry.CONNECT);
    assertThat(handler.link()).isSameAs(link);
    return link;
  }

  @Test
  void shouldTellOfTheEndThoughWhatTheLinkHasCannotBeFreed() {
    Held link = open();
    link.cannotFree = true;
    link.close();
    assertThat(handler.cause()).isNull();
  }

  @Test
  void shouldTellOfTheEndOfALinkWhoseSelectorHasFailedWithAThreadInside() throws Exception {
    Held link = open();
    Threads threads = new Threads();
    try (PatternSource source = new PatternSource(1, 100)) {
      writeWith(threads, link, source);
      Breaker breaker = new Breaker(loop);
      breaker.signal(SelectorEntry.CONNECT);
      breaker.done.await();
      assertThat(handler.isClosed()).isFalse();
      endLoop(); // which waits for the thread inside, but not for ever
      mayLeave.countDown();
      threads.join();
      assertThat(handler.cause()).hasMessage("broken");
    }
  }

  private void writeWith(Threads threads, Held link, PatternSource source)
      throws InterruptedException {
    threads.start(() -> {
      try {
        link.write(source);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
    inside.await();
  }

  /** Nobody would tell of it later. */
  @Test
  void shouldTellOfAnEndThatIsForcedUntilThereIsHeapForThat() throws Exception {
    Held link = open();
    Threads threads = new Threads();
    try (PatternSource source = new PatternSource(1, 100)) {
      writeWith(threads, link, source);
      toldInVain.set(2);
      endLoop(); // which waits for the thread inside, but not for ever
      mayLeave.countDown();
      threads.join();
      assertThat(handler.isClosed()).isTrue();
    }
  }

  /** Else whoever has it would never hear of it again. */
  @Test
  void shouldEndAnEntryThoughItIsTheFirstToFailAndThereIsNoHeap() throws Exception {
    assertThat(JavaProgram.runWithLittleHeap(FirstFailureProgram.class, "none"))
        .containsSubsequence("ended: true alive: true", "ended: true alive: true");
  }

  /** Such as of a thread whose calls, or a handler's, go too deep while it waits for an answer. */
  @Test
  void shouldEndALinkOfWhichALeaderHasNotReturned() throws Exception {
    Held link = open();
    StackEnd.runAt(() -> {
      boolean _ = link.lead(() -> true, System.nanoTime() + 1_000_000_000L);
    });
    link.close();
    await("the end", handler::isClosed);
  }

  @Test
  void shouldHearNewsWhileMuchInputGathers() throws Exception {
    peer.write(ByteBuffer.allocate(1));
    Bulk bulk = new Bulk(loop);
    News news = new News(loop);

    assertThat(bulk.signal(SelectorEntry.CONNECT)).isTrue();
    assertThat(bulk.rounds.await(30, TimeUnit.SECONDS)).isTrue();

    for (int i = 0; i < 100; i++) {
      assertThat(news.signal(SelectorEntry.WRITE)).isTrue();
      assertThat(news.heard.tryAcquire(30, TimeUnit.SECONDS)).as("news %d", i).isTrue();
    }
  }

  @Test
  void shouldLookAtTheOthersThoughALinkAsksAgainEachTime() throws Exception {
    peer.write(ByteBuffer.allocate(1));
    Insatiable link = new Insatiable(loop);
    Bulk other = new Bulk(loop);
    try {
      assertThat(link.signal(SelectorEntry.READ)).isTrue();
      assertThat(link.rounds.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(other.signal(SelectorEntry.CONNECT)).isTrue();
      assertThat(other.rounds.await(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      link.sated = true;
    }
  }

  @Test
  void shouldLookAtTheOthersBetweenTurnsOfASlowLinkOnWhichItSpins() throws Exception {
    lookAtTheOthersBetweenTurns(WaitingPlace.of(new IdleStrategy(TimeUnit.MINUTES.toNanos(1))));
  }

  @Test
  void shouldLookAtTheOthersBetweenTurnsOfASlowLinkThatItAwaitsOnASingleCore() throws Exception {
    lookAtTheOthersBetweenTurns(Places.withCores(1, IdleStrategy.parking()));
  }

  private void lookAtTheOthersBetweenTurns(WaitingPlace place) throws Exception {
    SelectorLoop spinner = SelectorLoop.start(CONFIG, place, "slow", 0);
    Slow link = new Slow(spinner);
    try {
      peer.write(ByteBuffer.allocate(1));
      Bulk other = new Bulk(spinner);
      List<Integer> looks = new ArrayList<>();
      CountDownLatch served = new CountDownLatch(5);
      other.eachTime =
          () -> {
            if (looks.isEmpty() || looks.getLast() != link.looks) {
              looks.add(link.looks);
              served.countDown();
            }
          };
      assertThat(link.signal(SelectorEntry.CONNECT)).isTrue();
      await("it is looked at", () -> link.looks > 0);
      assertThat(other.signal(SelectorEntry.CONNECT)).isTrue();
      assertThat(served.await(30, TimeUnit.SECONDS)).isTrue();
      spinner.shutdown();
      spinner.thread().join();
      for (int i = 1; i < 5; i++) {
        assertThat(looks.get(i) - looks.get(i - 1)).as("turns of the slow one").isLessThan(3);
      }
    } finally {
      link.over = true;
      spinner.shutdown();
    }
  }
}
