package org.ringwire.transport.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.TransportConfig;

/** Who listens goes on listening, whatever fails, until the transport ends. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors({"cannot accept connections for now", "selector failed"})
@Timeout(120)
class ListenerTest {

  private static final TransportConfig CONFIG =
      new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));

  private final SelectorLoop loop = SelectorLoop.start(CONFIG, "test", 0);
  private final Semaphore accepted = new Semaphore(0);
  private InetSocketAddress address;
  private Listener listener;

  @BeforeEach
  void listen() throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    channel.configureBlocking(false);
    channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    address = (InetSocketAddress) channel.getLocalAddress();
    listener = new Listener(loop, channel, address.toString(), this::take);
  }

  private void take(SocketChannel channel) throws IOException {
    channel.close();
    accepted.release();
  }

  @AfterEach
  void endLoop() throws InterruptedException {
    loop.shutdown();
    loop.thread().join(TimeUnit.SECONDS.toMillis(30));
    assertThat(loop.thread().isAlive()).isFalse();
    assertThat(isRefused()).as("after the end of the loop").isTrue();
  }

  private void assertThatItAccepts() throws Exception {
    SocketChannel.open(address).close();
    assertThat(accepted.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
  }

  /** Does something on the thread of the loop. */
  private void onLoop(Runnable step) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    new SelectorEntry(loop) {
      @Override
      protected void begin() {
        step.run();
        done.countDown();
      }

      @Override
      protected void ready(int readyOps) {}

      @Override
      protected void end(@Nullable Throwable cause) {}
    }.signal(SelectorEntry.CONNECT);
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldAcceptAgainAfterThereWasNoHeapForIt() throws Exception {
    listener.signal(SelectorEntry.CONNECT);
    assertThatItAccepts();
    onLoop(() -> EntryEnds.end(listener, new OutOfMemoryError("as this test wants it")));
    assertThatItAccepts();
  }

  @Test
  void shouldBeginLaterIfThereWasNoHeapForThat() throws Exception {
    onLoop(() -> EntryEnds.end(listener, new OutOfMemoryError("as this test wants it")));
    assertThatItAccepts();
  }

  @Test
  void shouldAcceptAgainWhenItsSelectorHasFailed() throws Exception {
    listener.signal(SelectorEntry.CONNECT);
    assertThatItAccepts();
    onLoop(() -> loop.replaceSelector(new IOException("as this test wants it")));
    assertThatItAccepts();
    assertThatItAccepts();
  }

  @Test
  void shouldEndWhileItPauses() throws Exception {
    listener.signal(SelectorEntry.CONNECT);
    onLoop(() -> EntryEnds.end(listener, new OutOfMemoryError("as this test wants it")));
    listener.signal(SelectorEntry.CLOSE);
    await("the end of the listener", this::isRefused); // with the loop's next look, not before
  }

  private boolean isRefused() {
    try {
      SocketChannel.open(address).close();
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
