package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** The end of connections for which a codec still encodes. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors({"claim open for too long", "encode() took long"})
class SettlementTest {

  record Slow(long number) {}

  private final CountDownLatch encodes = new CountDownLatch(1);
  private final CountDownLatch mayGoOn = new CountDownLatch(1);

  /** Blocks until it is told to go on. */
  private final class SlowCodec implements Codec<Slow> {
    @Override
    public int length(Slow message) {
      return Long.BYTES;
    }

    @Override
    public void encode(Slow message, Writer writer) {
      encodes.countDown();
      try {
        assertThat(mayGoOn.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      writer.putLong(message.number());
    }

    @Override
    public Slow decode(Reader reader) {
      return new Slow(reader.getLong());
    }
  }

  /** Makes one thread, and then none until it may. */
  private static final class FewThreads implements ThreadFactory {
    private final ThreadFactory threads;
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean mayMakeThem;

    FewThreads(ThreadFactory threads) {
      this.threads = threads;
    }

    @Override
    public Thread newThread(Runnable body) {
      if (asked.getAndIncrement() > 0 && !mayMakeThem) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      return threads.newThread(body);
    }
  }

  /** The timer comes back as often as it takes, and watches what it has to meanwhile. */
  @Test
  void shouldNotKeepTheTimerWhereNoThreadCanBeMade() throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      MessageCatalog catalog = new MessageCatalog();
      catalog.register(Slow.class, new SlowCodec());
      MessagingNode one = (MessagingNode) nodes.open(1, settings -> settings.catalog(catalog));
      Node two = nodes.open(2);
      one.connect(String.valueOf(two.address()), PATIENCE);
      Thread sender = Thread.ofPlatform().start(() -> send(one));
      assertThat(encodes.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      ThreadPoolExecutor chores = (ThreadPoolExecutor) one.connections().services().chores();
      FewThreads threads = new FewThreads(chores.getThreadFactory());
      chores.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
      await("its thread has ended", () -> chores.getPoolSize() == 0);
      chores.setThreadFactory(threads);

      two.close(Duration.ZERO);
      await("none could be made", () -> threads.asked.get() > 1);
      CountDownLatch deadline = new CountDownLatch(1);
      one.connections().services().later(deadline::countDown, 1);
      await("a deadline is watched meanwhile", () -> deadline.getCount() == 0);
      threads.mayMakeThem = true;
      mayGoOn.countDown();
      await("the end of the connection", one.connections()::allSettled);
      sender.join();
    }
  }

  /** An executor may throw for want of a thread, and have kept what it was to do. */
  @Test
  void shouldBeOverOnceHoweverOftenItIsBegun() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    try (TestNodes nodes = new TestNodes("tcp")) {
      MessagingNode one = (MessagingNode) nodes.open(1);
      Node two = nodes.open(2);
      one.connect(String.valueOf(two.address()), PATIENCE);
      Connections connections = one.connections();
      ThreadPoolExecutor chores = (ThreadPoolExecutor) connections.services().chores();
      connections.services().chore(() -> awaitDone(busy));
      await("it has begun", () -> chores.getActiveCount() == 1 && chores.getQueue().isEmpty());
      two.close(Duration.ZERO);
      await("the settlement", () -> chores.getQueue().size() == 1);
      chores.execute(chores.getQueue().element());
      connections.services().chore(done::countDown);
      connections.begun();
      busy.countDown();
      awaitDone(done);
      assertThat(connections.allSettled()).as("there is something else").isFalse();
      connections.over();
      assertThat(connections.allSettled()).isTrue();
    } finally {
      busy.countDown();
    }
  }

  private static void awaitDone(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void send(Node node) {
    try {
      node.send(2, new Slow(1));
    } catch (MessagingException e) {
      // its connection has ended
    }
  }
}
